// What the routes need: the application context, and what only this gateway as a whole can answer.
import { type HttpContext, type Limiters, makeAdmit, makePaidTools } from '../http/index.ts';
import type { AppContext } from './context.ts';
import { checkProvider, describeAll } from './provider-checks.ts';
import { readAttention } from './read-attention.ts';
import { dashboardFiles, docsFiles } from './web-files.ts';

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
    tools: makePaidTools(context, jobs, {
      privateHosts: sandboxHosts,
      allowPrivateWebhooks: context.settings.allow_private_webhooks,
    }),
    admit: makeAdmit(authenticator, limiters),
    dashboard: dashboardFiles,
    docs: docsFiles,
    describe,
    checkProvider: (id) => checkProvider(context, id),
    readAttention: (accountId, isOperator) =>
      readAttention({ context, readiness, describe }, accountId, isOperator),
  };
}
