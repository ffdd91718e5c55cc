// Sign-in, the people of the dashboard and their invitations.
import { InviteRequest, JoinRequest } from '@trivium/contract';
import type { SessionView } from '@trivium/contract';
import type { House } from '../../services/house.ts';
import { invite, join, readPeople, removePerson, withdrawInvite } from '../../services/invite.ts';
import { viewSession } from '../../services/session.ts';
import { peer_header } from '../../services/sign-in.ts';
import type { SignIn } from '../../services/sign-in.ts';
import type { Incoming, Route } from '../app.ts';
import { readBody } from '../body.ts';
import { checkSameOrigin } from '../same-origin.ts';

export function signInRoutes(
  house: House,
  sign_in: SignIn,
  here: Pick<SessionView, 'sandbox' | 'single_sign_on'>,
): Route[] {
  const handle = ({ request, address }: Incoming) => {
    const headers = new Headers(request.headers);
    headers.set(peer_header, address());
    return sign_in.handle(new Request(request, { headers }));
  };
  return [
    { method: 'GET', path: '/auth/*', public: true, dashboard: true, handle },
    { method: 'POST', path: '/auth/*', public: true, dashboard: true, handle },
    {
      method: 'GET',
      path: '/admin/v1/session',
      public: true,
      dashboard: true,
      handle: async ({ request }) => {
        const person = await sign_in.personOf(request.headers);
        return Response.json(await viewSession(house, person, here));
      },
    },
    {
      method: 'POST',
      path: '/admin/v1/join',
      public: true,
      dashboard: true,
      handle: async ({ request }) => {
        checkSameOrigin(request);
        await join(house, sign_in, await readBody(request, JoinRequest));
        return Response.json({ joined: true }, { status: 201 });
      },
    },
    {
      method: 'GET',
      path: '/admin/v1/people',
      operator: true,
      handle: async () => Response.json(await readPeople(house)),
    },
    {
      method: 'DELETE',
      path: '/admin/v1/people/:id',
      operator: true,
      handle: async ({ params }) => Response.json(await removePerson(house, params['id'] ?? '')),
    },
    {
      method: 'POST',
      path: '/admin/v1/invites',
      operator: true,
      handle: async ({ request }) =>
        Response.json(await invite(house, await readBody(request, InviteRequest)), { status: 201 }),
    },
    {
      method: 'DELETE',
      path: '/admin/v1/invites/:id',
      operator: true,
      handle: async ({ params }) => Response.json(await withdrawInvite(house, params['id'] ?? '')),
    },
  ];
}
