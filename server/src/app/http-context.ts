// What the routes need: the application context, what only this gateway as a whole can answer, the
// files of the dashboard and the documentation, and authentication for the dashboard.
import { buildDashboard, pagePaths } from '@trivium/dashboard';
import { loadDocs } from '@trivium/docs';
import {
  type Authenticator,
  accountOfKey,
  callerFor,
  openSignIn,
  prepareSetUp,
} from '../accounts/index.ts';
import { accountOfDelivery, accountOfWebhook } from '../events/index.ts';
import {
  type Access,
  type HttpContext,
  type Limiters,
  type LoadFiles,
  type WebFile,
  makeAdmit,
  makePaidTools,
  makeSameOriginCheck,
} from '../http/index.ts';
import type { BuiltFile } from './built-files.ts';
import type { AppContext } from './context.ts';
import { checkProvider, describeAll } from './provider-checks.ts';
import { readAttention } from './read-attention.ts';

type Given =
  | 'authenticator'
  | 'jobs'
  | 'events'
  | 'enterRead'
  | 'dashboardAuth'
  | 'oauth'
  | 'readiness';

/** `sandboxHosts`: loopback hosts whose recordings may be transcribed, of the built-in sandbox. */
export function makeHttpContext(
  context: AppContext,
  given: Pick<HttpContext, Given>,
  limiters: Limiters,
  sandboxHosts: readonly string[],
): HttpContext {
  const { authenticator, jobs, readiness } = given;
  const describe = () => describeAll(context);
  return {
    ...context,
    ...given,
    tools: makePaidTools(context, jobs, sandboxHosts),
    admit: makeAdmit(authenticator, limiters),
    dashboard: dashboardFiles,
    docs: docsFiles,
    describe,
    checkProvider: (id) => checkProvider(context, id),
    readAttention: (accountId, isOperator) =>
      readAttention({ context, readiness, describe }, accountId, isOperator),
  };
}

/** Embedded by a build, or made from their sources when one of them is first requested. */
export const dashboardFiles: HttpContext['dashboard'] = {
  pagePaths,
  load: once(async () => {
    const { builtFiles } = await import('./built-files.ts');
    return builtFiles ? builtFiles.dashboard.map(unpack) : buildDashboard();
  }),
};

const docsFiles = once(async () => {
  const { builtFiles } = await import('./built-files.ts');
  return (builtFiles?.docs ?? (await loadDocs())).map(unpack);
});

function unpack({ path, type, base64 }: BuiltFile): WebFile {
  const gzipped = Uint8Array.fromBase64(base64);
  return { path, type, gzipped, body: Bun.gunzipSync(gzipped) };
}

/** What failed is tried again. */
function once(make: () => Promise<WebFile[]>): LoadFiles {
  let made: ReturnType<LoadFiles> | undefined;
  return () => {
    made ??= make().then(
      (files) => new Map(files.map((file) => [file.path, file])),
      (error: unknown) => {
        made = undefined;
        throw error;
      },
    );
    return made;
  };
}

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
