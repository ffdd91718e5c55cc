// The table of routes. Only what is listed here can be reached.
import {
  accountRoutes,
  adminRoutes,
  callbackRoutes,
  compatRoutes,
  dashboardRoutes,
  describeAll,
  docsRoutes,
  estimateRoutes,
  feedbackRoutes,
  type EnterRead,
  type Limiters,
  makeAdmit,
  makePaidTools,
  mcpRoutes,
  metaRoutes,
  oauthRoutes,
  type OAuthServices,
  openAiRoutes,
  overviewRoutes,
  ownUseRoutes,
  providerRoutes,
  type Readiness,
  requestLogRoutes,
  type Route,
  settingsRoutes,
  peopleRoutes,
  type SignInServices,
  toolRoutes,
  uploadRoutes,
  webhookRoutes,
} from '../http/index.ts';
import type { Authenticator } from '../accounts/index.ts';
import type { AppContext } from './context.ts';
import { checkProvider } from './provider-checks.ts';
import { describeAuto } from './provider-checks.ts';
import { readAttention } from './read-attention.ts';
import { dashboardFiles, docsFiles } from './web-files.ts';
import type { EventsContext } from '../events/index.ts';
import type { JobContext } from '../transcription/index.ts';

export interface RouteContext {
  context: AppContext;
  authenticator: Authenticator;
  jobs: JobContext;
  events: EventsContext;
  /** Loopback hosts whose recordings may be transcribed: the built-in sandbox. */
  sandboxHosts: readonly string[];
  signInServices: SignInServices;
  oauth: OAuthServices;
  readiness: Readiness;
  limiters: Limiters;
  enterRead: EnterRead;
}

export function makeRoutes(routeContext: RouteContext): Route[] {
  const { context, authenticator, jobs, sandboxHosts, readiness } = routeContext;
  const { compat_provider, public_url } = context.settings;
  const { allow_private_webhooks: allowPrivateWebhooks } = context.settings;
  const tools = makePaidTools(context, jobs, { privateHosts: sandboxHosts, allowPrivateWebhooks });
  const paid = { tools, admit: makeAdmit(authenticator, routeContext.limiters) };
  const describe = () => describeAll(context, describeAuto(context));
  return [
    ...toolRoutes(jobs, tools),
    ...uploadRoutes(jobs.uploads),
    ...openAiRoutes(jobs, paid),
    ...callbackRoutes(jobs),
    ...accountRoutes(context),
    ...estimateRoutes(context, tools),
    ...feedbackRoutes(context),
    ...ownUseRoutes(context),
    ...adminRoutes(context, authenticator),
    ...requestLogRoutes(context),
    ...overviewRoutes(context, {
      checkProvider: (id) => checkProvider(context, id),
      readAttention: (accountId, isOperator) =>
        readAttention({ context, readiness, describe }, accountId, isOperator),
    }),
    ...webhookRoutes(routeContext.events, allowPrivateWebhooks),
    ...providerRoutes(describe),
    ...settingsRoutes(context),
    ...metaRoutes(routeContext.readiness),
    ...docsRoutes(docsFiles),
    ...mcpRoutes({ context, paid, enterRead: routeContext.enterRead, describe }, public_url),
    ...compatRoutes(context, compat_provider, paid),
    ...peopleRoutes(context, routeContext.signInServices),
    ...oauthRoutes(routeContext.oauth),
    ...dashboardRoutes(dashboardFiles),
  ];
}
