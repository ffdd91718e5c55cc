// Authentication for the dashboard: sign-in, sessions, and the token for the first person.
import {
  makeSameOriginCheck,
  makeSessions,
  type OAuthServices,
  type Sessions,
  type SignInServices,
} from '../http/index.ts';
import {
  type Authenticator,
  callerFor,
  findKey,
  makeChangeOnce,
  makePasswordResets,
  makePasswordSignIn,
  makeSignIn,
  makeSignInLimits,
  prepareSetUp,
} from '../accounts/index.ts';
import type { AppContext } from './context.ts';
import { accountOfDelivery, accountOfWebhook } from '../events/index.ts';

interface DashboardAuth {
  services: SignInServices;
  sessions: Sessions;
  oauth: OAuthServices;
  /** Invites the first person. Undefined once a person can sign in. */
  setUpToken: string | undefined;
}

/** The sign-in library needs a base URL. Without TRIVIUM_PUBLIC_URL, no link is built from it. */
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
    context: { database, clock, secret, refreshKeys, limits },
    publicUrl: public_url,
    personOf: ({ headers }) => signIn.personOf(headers),
    checkSameOrigin,
  };
  return { services, sessions, oauth, setUpToken: await prepareSetUp(context, secret) };
}
