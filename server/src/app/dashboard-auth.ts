// Authentication for the dashboard: sign-in, sessions, and the token for the first person.
import type { SignInServices } from '../http/routes/dashboard/sign-in.ts';
import { makeSameOriginCheck } from '../http/middleware/same-origin.ts';
import { makeSessions } from '../http/middleware/session.ts';
import type { Sessions } from '../http/middleware/session.ts';
import type { OAuthServices } from '../http/routes/oauth/routes.ts';
import type { Authenticator } from '../accounts/authenticate.ts';
import type { AppContext } from './context.ts';
import { makeChangeOnce } from '../accounts/change-once.ts';
import { prepareSetUp } from '../accounts/invitations.ts';
import { makePasswordResets } from '../accounts/password-reset.ts';
import { callerFor } from '../accounts/session.ts';
import { makeSignInLimits } from '../accounts/sign-in-limits.ts';
import { makePasswordSignIn } from '../accounts/sign-in-password.ts';
import { makeSignIn } from '../accounts/sign-in.ts';
import { findKey } from '../accounts/store/keys.ts';
import { accountOfDelivery } from '../events/deliveries.ts';
import { accountOfWebhook } from '../events/endpoints.ts';

interface DashboardAuth {
  services: SignInServices;
  sessions: Sessions;
  oauth: OAuthServices;
  /** Invites the first person; undefined once someone can sign in. */
  setUpToken: string | undefined;
}

/** The sign-in library needs a base URL; without TRIVIUM_PUBLIC_URL no link is built from it. */
const placeholderUrl = 'http://localhost';

export async function makeDashboardAuth(
  context: AppContext,
  { refresh: refreshKeys }: Pick<Authenticator, 'refresh'>,
  secret: string,
  sandbox: boolean,
): Promise<DashboardAuth> {
  const { database, settings, log, clock } = context;
  const { single_sign_on, public_url } = settings;
  const baseUrl = new URL(public_url ?? placeholderUrl).origin;
  const signIn = makeSignIn({ database, clock, log, secret, base_url: baseUrl, single_sign_on });
  const limits = makeSignInLimits(clock);
  const secure = baseUrl.startsWith('https:');
  const checkSameOrigin = makeSameOriginCheck(public_url);
  const sessions = makeSessions({
    signIn,
    checkSameOrigin,
    callerFor: (person, requested) => callerFor(context, person, requested),
    owners: {
      key: async (id) => (await findKey(database, id))?.account_id,
      webhook: (id) => accountOfWebhook(context, id),
      delivery: (id) => accountOfDelivery(context, id),
    },
  });
  const services: SignInServices = {
    signIn,
    passwords: makePasswordSignIn(signIn, limits, { clock, secret, secure }),
    resets: makePasswordResets(context, secret, signIn),
    limits,
    checkSameOrigin,
    changeOnce: makeChangeOnce(secret),
    refreshKeys,
    here: { sandbox, single_sign_on: single_sign_on?.name ?? null },
  };
  const oauth: OAuthServices = {
    context: { database, clock, secret, refreshKeys },
    publicUrl: public_url,
    personOf: ({ headers }) => signIn.personOf(headers),
    checkSameOrigin,
  };
  return { services, sessions, oauth, setUpToken: await prepareSetUp(context, secret) };
}
