// The profile of the signed-in person, and forgotten passwords.
import { InviteCheck, ResetRequest } from '@trivium/contract';
import {
  type AccountsContext,
  changePerson,
  changeProfile,
  endOtherSessions,
  endSession,
  type openSignIn,
  readProfile,
  removePerson,
  type SignIn,
} from '../../../accounts/index.ts';
import type { SameOriginCheck } from '../../middleware/same-origin.ts';
import { readBody } from '../../middleware/body.ts';
import { admin, ok } from '../admin/routes.ts';
import type { Route } from '../../route.ts';
import { maxSignInBytes, publicRoute } from './public-route.ts';

interface ProfileServices {
  signIn: Pick<SignIn, 'sessionIdOf'>;
  resets: ReturnType<typeof openSignIn>['resets'];
  checkSameOrigin: SameOriginCheck;
  /**
   * Clears the keys that this gateway has cached, because those of a person's agents may have
   * ended.
   */
  refreshKeys: () => Promise<void>;
}

export function profileRoutes(
  context: AccountsContext,
  { signIn, resets, checkSameOrigin, refreshKeys }: ProfileServices,
): Route[] {
  const thenRefresh = async (change: Promise<object>) => {
    const changed = await change;
    await refreshKeys();
    return changed;
  };
  return [
    admin('PATCH', '/people/:id', {
      scope: 'gateway',
      handle: async ({ id, body, by }) =>
        ok(thenRefresh(changePerson(context, by, id, await body()))),
    }),
    admin('DELETE', '/people/:id', {
      scope: 'gateway',
      handle: ({ id, by }) => ok(thenRefresh(removePerson(context, by, id))),
    }),
    admin('POST', '/people/:id/reset', {
      scope: 'gateway',
      handle: async ({ id, by }) => Response.json(await resets.makeLink(by, id), { status: 201 }),
    }),
    publicRoute('POST', '/admin/v1/reset/check', async ({ request }) => {
      checkSameOrigin(request);
      const { token } = await readBody(request, InviteCheck, maxSignInBytes);
      return Response.json(await resets.check(token));
    }),
    publicRoute('POST', '/admin/v1/reset', async ({ request, address }) => {
      checkSameOrigin(request);
      const body = await readBody(request, ResetRequest, maxSignInBytes);
      return ok(resets.reset(body, address()));
    }),
    admin('GET', '/profile', {
      scope: 'person',
      handle: async ({ person, headers }) =>
        ok(readProfile(context, person, await signIn.sessionIdOf(headers))),
    }),
    admin('PATCH', '/profile', {
      scope: 'person',
      handle: async ({ person, body, by }) => ok(changeProfile(context, by, person, await body())),
    }),
    admin('DELETE', '/profile/sessions', {
      scope: 'person',
      handle: async ({ person, headers, by }) =>
        ok(endOtherSessions(context, by, person, await signIn.sessionIdOf(headers))),
    }),
    admin('DELETE', '/profile/sessions/:id', {
      scope: 'person',
      handle: ({ person, id, by }) => ok(endSession(context, by, person, id)),
    }),
  ];
}
