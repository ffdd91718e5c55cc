// Sign-in, the people of the dashboard and their invitations. What is not listed here is not there:
// the sign-in library is never asked for an address that a stranger made up.
import { InviteRequest, JoinRequest } from '@trivium/contract';
import type { SessionView } from '@trivium/contract';
import { z } from 'zod';
import type { House } from '../../services/house.ts';
import { invite, join, readPeople, removePerson, withdrawInvite } from '../../services/invite.ts';
import { viewSession } from '../../services/session.ts';
import type { SignIn, SignInAsked } from '../../services/sign-in.ts';
import type { SignInLimits } from '../../services/sign-in-limits.ts';
import type { SignInWithPassword } from '../../services/sign-in-password.ts';
import type { Handled, Incoming, Route } from '../app.ts';
import { readBody } from '../body.ts';
import type { SameOriginCheck } from '../same-origin.ts';
import { admin, created, shown } from './admin.ts';

export interface SignInDesk {
  sign_in: SignIn;
  signInWithPassword: SignInWithPassword;
  limits: SignInLimits;
  checkSameOrigin: SameOriginCheck;
  here: Pick<SessionView, 'sandbox' | 'single_sign_on'>;
}

/** The caller has proved nothing yet, so little may be sent. */
const maxSignInBytes = 64 * 1024;

const Credentials = z.strictObject({ email: z.email().max(320), password: z.string().max(128) });
const Nothing = z.strictObject({});
const ToProvider = z.strictObject({
  provider: z.literal('oidc'),
  callbackURL: z.literal('/'),
  errorCallbackURL: z.literal('/sign-in'),
});

export function signInRoutes(house: House, desk: SignInDesk): Route[] {
  const { sign_in, checkSameOrigin, here } = desk;
  return [
    ...authRoutes(desk),
    open('GET', '/admin/v1/session', async ({ request }) => {
      const person = await sign_in.personOf(request.headers);
      return Response.json(await viewSession(house, person, here));
    }),
    open('POST', '/admin/v1/join', async ({ request }) => {
      checkSameOrigin(request);
      await join(house, sign_in, await readBody(request, JoinRequest, maxSignInBytes));
      return Response.json({ joined: true }, { status: 201 });
    }),
    admin('GET', '/people', { scope: 'gateway', handle: () => shown(readPeople(house)) }),
    admin('DELETE', '/people/:id', {
      scope: 'gateway',
      handle: ({ id }) => shown(removePerson(house, id)),
    }),
    admin('POST', '/invites', {
      scope: 'gateway',
      handle: async ({ body }) => created(invite(house, await body(InviteRequest))),
    }),
    admin('DELETE', '/invites/:id', {
      scope: 'gateway',
      handle: ({ id }) => shown(withdrawInvite(house, id)),
    }),
  ];
}

function authRoutes({ sign_in, signInWithPassword, limits, checkSameOrigin }: SignInDesk): Route[] {
  const post = <T extends object>(
    path: Exclude<SignInAsked['path'], '/callback/oidc'>,
    schema: z.ZodType<T>,
    serve: (body: T, incoming: Incoming) => Promise<Response>,
  ) =>
    open('POST', `/auth${path}`, async (incoming) => {
      checkSameOrigin(incoming.request);
      return serve(await readBody(incoming.request, schema, maxSignInBytes), incoming);
    });
  const pass = (path: SignInAsked['path']) => (body: object, incoming: Incoming) =>
    sign_in.ask({ path, body, ...clientOf(incoming) });
  return [
    post('/sign-in/email', Credentials, (body, incoming) =>
      signInWithPassword({ ...body, ...clientOf(incoming) }),
    ),
    post('/sign-in/social', ToProvider, (body, incoming) => {
      limits.countProvider(incoming.address());
      return pass('/sign-in/social')(body, incoming);
    }),
    post('/sign-out', Nothing, pass('/sign-out')),
    post('/revoke-sessions', Nothing, pass('/revoke-sessions')),
    open('GET', '/auth/callback/oidc', (incoming) => {
      limits.countProvider(incoming.address());
      const { query } = incoming;
      return sign_in.ask({ path: '/callback/oidc', query, ...clientOf(incoming) });
    }),
  ];
}

function clientOf({ request, address }: Incoming) {
  return { headers: request.headers, address: address() };
}

/** Part of the dashboard, and open to those who have not signed in. */
function open(
  method: Route['method'],
  path: string,
  handle: (incoming: Incoming) => Handled,
): Route {
  return { method, path, public: true, dashboard: true, handle };
}
