// What the routes need: the application context, limits, authentication, what only this gateway as a
// whole can answer, and the files of the dashboard and the documentation.
import { buildDashboard, pagePaths } from '@trivium/dashboard';
import { loadDocs } from '@trivium/docs';
import { makeOperatorCheck, openSignIn } from '../accounts/index.ts';
import {
  type HttpContext,
  type LoadFiles,
  makeLimits,
  makePaidTools,
  makeSameOriginCheck,
  type WebFile,
} from '../http/index.ts';
import { newId } from '../platform/ids.ts';
import type { BuiltFile } from './built-files.ts';
import type { AppContext } from './context.ts';
import { checkProvider, describeAll } from './provider-checks.ts';
import { incidentsFor } from './read-incidents.ts';
import type { SimulatedProviders } from './simulated-providers.ts';

interface Given extends Pick<
  HttpContext,
  'authenticator' | 'jobs' | 'events' | 'dashboardAuth' | 'readiness' | 'observe' | 'headers'
> {
  secret: string;
  simulated: Pick<SimulatedProviders, 'periodsOf'>;
  /** Loopback hosts whose recordings may be transcribed, of the built-in sandbox. */
  sandboxHosts: readonly string[];
}

export function makeHttpContext(
  context: AppContext,
  { secret, sandboxHosts, simulated, ...given }: Given,
): HttpContext {
  const { authenticator, jobs, readiness, dashboardAuth } = given;
  const { database, settings } = context;
  const { refresh: refreshKeys } = authenticator;
  const describe = () => describeAll(context, simulated.periodsOf);
  return {
    ...context,
    ...given,
    ...makeLimits(context, authenticator),
    newRequestId: () => newId('req'),
    isOperator: makeOperatorCheck(database, settings.admin_token),
    checkSameOrigin: makeSameOriginCheck(settings.public_url),
    oauth: { ...context, secret, refreshKeys, limits: dashboardAuth.limits },
    tools: makePaidTools(context, jobs, sandboxHosts),
    dashboard: dashboardFiles,
    docs: docsFiles,
    describe,
    checkProvider: (id) => checkProvider(context, id),
    incidents: incidentsFor(context, readiness),
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

/** The sign-in library needs a base URL. Without TRIVIUM_PUBLIC_URL, no link is built from it. */
const placeholderUrl = 'http://localhost';

export function openDashboardAuth(context: AppContext, secret: string) {
  const { database, settings, log, clock } = context;
  const { single_sign_on, public_url } = settings;
  const baseUrl = new URL(public_url ?? placeholderUrl).origin;
  return openSignIn(context, { database, clock, log, secret, base_url: baseUrl, single_sign_on });
}
