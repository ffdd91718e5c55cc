// Sign-in, people, invitations, profiles and forgotten passwords. Only the paths listed here reach the
// sign-in library: it never sees a path that a client made up.
import { InviteCheck, JoinRequest, PasswordChange, ResetRequest } from '@trivium/contract';
import { z } from 'zod';
import {
  changePerson,
  changeProfile,
  checkInvite,
  endOtherSessions,
  endSession,
  invite,
  join,
  readPeople,
  readProfile,
  removePerson,
  type SignIn,
  viewSession,
  withdrawInvite,
} from '../../accounts/index.ts';
import type { HttpContext } from '../context.ts';
import type { Incoming, Route } from '../route.ts';
import { admin, visitorPost } from './rows.ts';

const Credentials = z.strictObject({ email: z.email().max(320), password: z.string().max(128) });
const EmptyBody = z.strictObject({});
const SocialSignIn = z.strictObject({
  provider: z.literal('oidc'),
  callbackURL: z.literal('/'),
  errorCallbackURL: z.literal('/sign-in'),
});

export function peopleRoutes(context: HttpContext): Route[] {
  const { signIn, resets } = context.dashboardAuth;
  const { mode, single_sign_on } = context.settings;
  const here = { sandbox: mode === 'sandbox', single_sign_on: single_sign_on?.name ?? null };
  // The keys of a person's agents may have ended.
  const after = context.authenticator.refresh;
  const ofGateway = { scope: 'gateway' } as const;
  const ofPerson = { scope: 'person' } as const;
  return [
    ...authRoutes(context.dashboardAuth),
    {
      method: 'GET',
      path: '/admin/v1/session',
      role: 'visitor',
      handle: async ({ request }) =>
        viewSession(context, await signIn.personOf(request.headers), here),
    },
    visitorPost(
      '/admin/v1/join',
      JoinRequest,
      async ({ body, address }) => {
        await join(context, signIn, body, address());
        return { joined: true };
      },
      201,
    ),
    visitorPost('/admin/v1/join/check', InviteCheck, ({ body }) =>
      checkInvite(context, body.token),
    ),
    visitorPost('/admin/v1/reset/check', InviteCheck, ({ body }) => resets.check(body.token)),
    visitorPost('/admin/v1/reset', ResetRequest, ({ body, address }) =>
      resets.reset(body, address()),
    ),
    admin('GET', '/people', ofGateway, () => readPeople(context)),
    admin('PATCH', '/people/:id', { ...ofGateway, after }, ({ by, id, body }) =>
      changePerson(context, by, id, body),
    ),
    admin('DELETE', '/people/:id', { ...ofGateway, after }, ({ by, id }) =>
      removePerson(context, by, id),
    ),
    admin('POST', '/people/:id/reset', ofGateway, ({ by, id }) => resets.makeLink(by, id)),
    admin('GET', '/profile', ofPerson, async ({ person, request }) =>
      readProfile(context, person, await signIn.sessionIdOf(request.headers)),
    ),
    admin('PATCH', '/profile', ofPerson, ({ by, person, body }) =>
      changeProfile(context, by, person, body),
    ),
    admin('DELETE', '/profile/sessions', ofPerson, async ({ by, person, request }) =>
      endOtherSessions(context, by, person, await signIn.sessionIdOf(request.headers)),
    ),
    admin('DELETE', '/profile/sessions/:id', ofPerson, ({ by, person, id }) =>
      endSession(context, by, person, id),
    ),
    admin('POST', '/invites', ofGateway, ({ joined, by, body }) =>
      invite(joined(context), by, body),
    ),
    admin('DELETE', '/invites/:id', ofGateway, ({ by, id }) => withdrawInvite(context, by, id)),
  ];
}

function authRoutes({ signIn, passwords, limits }: HttpContext['dashboardAuth']): Route[] {
  const forward =
    (path: Parameters<SignIn['request']>[0]['path']) =>
    ({ body, ...incoming }: Incoming & { body: object }) =>
      signIn.request({ path, body, ...clientOf(incoming) });
  return [
    visitorPost('/auth/sign-in/email', Credentials, ({ body, ...incoming }) =>
      passwords.signIn({ ...body, ...clientOf(incoming) }),
    ),
    visitorPost('/auth/change-password', PasswordChange, ({ body, ...incoming }) =>
      passwords.change({ ...body, ...clientOf(incoming) }),
    ),
    visitorPost('/auth/sign-in/social', SocialSignIn, (incoming) => {
      limits.countProvider(incoming.address());
      return forward('/sign-in/social')(incoming);
    }),
    visitorPost('/auth/sign-out', EmptyBody, forward('/sign-out')),
    visitorPost('/auth/revoke-sessions', EmptyBody, forward('/revoke-sessions')),
    {
      method: 'GET',
      path: '/auth/callback/oidc',
      role: 'visitor',
      handle: ({ query, ...incoming }) => {
        limits.countProvider(incoming.address());
        return signIn.request({ path: '/callback/oidc', query, ...clientOf(incoming) });
      },
    },
  ];
}

function clientOf({ request, address }: Pick<Incoming, 'request' | 'address'>) {
  return { headers: request.headers, address: address() };
}
