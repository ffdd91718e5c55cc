// Sign-in, people and invitations. Only the paths listed here reach the sign-in library: it never
// sees a path that a client made up.
import { InviteCheck, JoinRequest, PasswordChange } from '@trivium/contract';
import type { SessionView } from '@trivium/contract';
import { z } from 'zod';
import {
  type AccountsContext,
  checkInvite,
  invite,
  join,
  type openSignIn,
  readPeople,
  type SignIn,
  viewSession,
  withdrawInvite,
} from '../../../accounts/index.ts';
import { readBody } from '../../middleware/body.ts';
import type { SameOriginCheck } from '../../middleware/same-origin.ts';
import { admin, makeOnce, ok } from '../admin/routes.ts';
import type { Incoming, Route } from '../../route.ts';
import { profileRoutes } from './profile.ts';
import { maxSignInBytes, publicRoute } from './public-route.ts';

export interface SignInServices extends ReturnType<typeof openSignIn> {
  checkSameOrigin: SameOriginCheck;
  refreshKeys: () => Promise<void>;
  here: Pick<SessionView, 'sandbox' | 'single_sign_on'>;
}

type SignInPath = Parameters<SignIn['request']>[0]['path'];

const Credentials = z.strictObject({ email: z.email().max(320), password: z.string().max(128) });
const EmptyBody = z.strictObject({});
const SocialSignIn = z.strictObject({
  provider: z.literal('oidc'),
  callbackURL: z.literal('/'),
  errorCallbackURL: z.literal('/sign-in'),
});

export function signInRoutes(context: AccountsContext, services: SignInServices): Route[] {
  const once = makeOnce(context, services.changeOnce);
  const { signIn, checkSameOrigin, here } = services;
  return [
    ...authRoutes(services),
    publicRoute('GET', '/admin/v1/session', async ({ request }) => {
      const person = await signIn.personOf(request.headers);
      return Response.json(await viewSession(context, person, here));
    }),
    publicRoute('POST', '/admin/v1/join', async ({ request, address }) => {
      checkSameOrigin(request);
      const body = await readBody(request, JoinRequest, maxSignInBytes);
      await join(context, signIn, body, address());
      return Response.json({ joined: true }, { status: 201 });
    }),
    publicRoute('POST', '/admin/v1/join/check', async ({ request }) => {
      checkSameOrigin(request);
      const { token } = await readBody(request, InviteCheck, maxSignInBytes);
      return Response.json(await checkInvite(context, token));
    }),
    admin('GET', '/people', { scope: 'gateway', handle: () => ok(readPeople(context)) }),
    ...profileRoutes(context, services),
    admin('POST', '/invites', {
      scope: 'gateway',
      handle: (request) => once(request, (joined, body) => invite(joined, request.by, body)),
    }),
    admin('DELETE', '/invites/:id', {
      scope: 'gateway',
      handle: ({ id, by }) => ok(withdrawInvite(context, by, id)),
    }),
  ];
}

function authRoutes({ signIn, passwords, limits, checkSameOrigin }: SignInServices): Route[] {
  const post = <T extends object>(
    path: Exclude<SignInPath, '/callback/oidc'>,
    schema: z.ZodType<T>,
    serve: (body: T, incoming: Incoming) => Promise<Response>,
  ) =>
    publicRoute('POST', `/auth${path}`, async (incoming) => {
      checkSameOrigin(incoming.request);
      return serve(await readBody(incoming.request, schema, maxSignInBytes), incoming);
    });
  const forward = (path: SignInPath) => (body: object, incoming: Incoming) =>
    signIn.request({ path, body, ...clientOf(incoming) });
  return [
    post('/sign-in/email', Credentials, (body, incoming) =>
      passwords.signIn({ ...body, ...clientOf(incoming) }),
    ),
    post('/change-password', PasswordChange, (body, incoming) =>
      passwords.change({ ...body, ...clientOf(incoming) }),
    ),
    post('/sign-in/social', SocialSignIn, (body, incoming) => {
      limits.countProvider(incoming.address());
      return forward('/sign-in/social')(body, incoming);
    }),
    post('/sign-out', EmptyBody, forward('/sign-out')),
    post('/revoke-sessions', EmptyBody, forward('/revoke-sessions')),
    publicRoute('GET', '/auth/callback/oidc', (incoming) => {
      limits.countProvider(incoming.address());
      const { query } = incoming;
      return signIn.request({ path: '/callback/oidc', query, ...clientOf(incoming) });
    }),
  ];
}

function clientOf({ request, address }: Incoming) {
  return { headers: request.headers, address: address() };
}
