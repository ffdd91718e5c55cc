// Authentication for the dashboard: sign-in, sessions, and the token for the first person.
import { type Access, type HttpContext, makeSameOriginCheck } from '../http/index.ts';
import {
  accountOfKey,
  type Authenticator,
  callerFor,
  openSignIn,
  prepareSetUp,
} from '../accounts/index.ts';
import type { AppContext } from './context.ts';
import { accountOfDelivery, accountOfWebhook } from '../events/index.ts';

interface DashboardAuth {
  services: HttpContext['dashboardAuth'];
  access: Omit<Access, 'authenticator' | 'isOperator'>;
  oauth: HttpContext['oauth'];
  /** Invites the first person. Undefined once a person can sign in. */
  setUpToken: string | undefined;
}

/** The sign-in library needs a base URL. Without TRIVIUM_PUBLIC_URL, no link is built from it. */
const placeholderUrl = 'http://localhost';

export async function makeDashboardAuth(
  context: AppContext,
  { refresh: refreshKeys }: Pick<Authenticator, 'refresh'>,
  secret: string,
): Promise<DashboardAuth> {
  const { database, settings, log, clock } = context;
  const { single_sign_on, public_url } = settings;
  const baseUrl = new URL(public_url ?? placeholderUrl).origin;
  const parts = { database, clock, log, secret, base_url: baseUrl, single_sign_on };
  const services = openSignIn(context, parts);
  const { signIn } = services;
  const access: DashboardAuth['access'] = {
    personOf: signIn.personOf,
    checkSameOrigin: makeSameOriginCheck(public_url),
    callerFor: (person, requested) => callerFor(context, person, requested),
    owners: {
      key: (id) => accountOfKey(context, id),
      webhook: (id) => accountOfWebhook(context, id),
      delivery: (id) => accountOfDelivery(context, id),
    },
  };
  const oauth = { ...context, secret, refreshKeys, limits: services.limits };
  return { services, access, oauth, setUpToken: await prepareSetUp(context, secret) };
}
