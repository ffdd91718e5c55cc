// The table of routes: only what is listed here can be reached.
import type { Dispatch } from '../http/dispatch.ts';
import { accountRoutes } from '../http/routes/api/balance.ts';
import { adminRoutes } from '../http/routes/admin/routes.ts';
import { callbackRoutes } from '../http/routes/callbacks/routes.ts';
import tokens from '@trivium/dashboard/tokens.css' with { type: 'text' };
import { dashboardRoutes } from '../http/routes/dashboard/files.ts';
import { estimateRoutes } from '../http/routes/api/estimates.ts';
import { extractRoutes } from '../http/routes/api/extract.ts';
import { openAiRoutes } from '../http/routes/openai/routes.ts';
import { metaRoutes } from '../http/routes/api/meta.ts';
import type { Readiness } from '../http/routes/api/meta.ts';
import { requestLogRoutes } from '../http/routes/admin/request-log.ts';
import { oauthRoutes } from '../http/routes/oauth/routes.ts';
import type { OAuthServices } from '../http/routes/oauth/routes.ts';
import { overviewRoutes } from '../http/routes/admin/reports.ts';
import { ownUseRoutes } from '../http/routes/api/own-use.ts';
import { providerRoutes } from '../http/routes/api/providers.ts';
import { settingsRoutes } from '../http/routes/admin/settings.ts';
import { searchRoutes } from '../http/routes/api/search.ts';
import { signInRoutes } from '../http/routes/dashboard/sign-in.ts';
import type { SignInServices } from '../http/routes/dashboard/sign-in.ts';
import { limitReads } from '../http/middleware/read-limit.ts';
import { surfaceRoutes } from '../http/routes/surfaces.ts';
import { transcriptionRoutes } from '../http/routes/api/transcriptions.ts';
import { webhookRoutes } from '../http/routes/admin/webhooks.ts';
import { uploadRoutes } from '../http/routes/api/uploads.ts';
import { readDocs } from '../platform/docs-folder.ts';
import type { Authenticator } from '../accounts/authenticate.ts';
import type { AppContext } from './context.ts';
import { checkProvider } from './check-provider.ts';
import { dashboardFiles } from './dashboard-files.ts';
import { describeAuto } from './describe-auto.ts';
import type { WebhookContext } from '../events/context.ts';
import type { JobContext } from '../transcription/job-context.ts';
import type { HandlerResult, Route } from '../http/route.ts';

export interface RouteContext {
  context: AppContext;
  authenticator: Authenticator;
  jobs: JobContext;
  events: WebhookContext;
  /** Loopback hosts whose recordings may be transcribed: the built-in sandbox. */
  sandboxHosts: readonly string[];
  signInServices: SignInServices;
  oauth: OAuthServices;
  readiness: Readiness;
  /** Calls the public API, for routes that build on it. */
  dispatch: Dispatch;
}

export function makeRoutes(routeContext: RouteContext): Route[] {
  const { context, authenticator, jobs, sandboxHosts, dispatch } = routeContext;
  const { changeOnce } = routeContext.signInServices;
  const { compat_provider, public_url } = context.settings;
  const { allow_private_webhooks: allowPrivateWebhooks } = context.settings;
  return [
    ...searchRoutes(context),
    ...extractRoutes(context),
    ...transcriptionRoutes(jobs, { privateHosts: sandboxHosts, allowPrivateWebhooks }),
    ...uploadRoutes(jobs.uploads),
    ...openAiRoutes(jobs, dispatch),
    ...callbackRoutes(jobs),
    ...bookedFirst(context, [
      ...accountRoutes(context),
      ...estimateRoutes(context, jobs, sandboxHosts),
      ...limitReads([
        ...ownUseRoutes(context),
        ...adminRoutes(context, authenticator, changeOnce),
        ...requestLogRoutes(context),
        ...overviewRoutes(context, (id) => checkProvider(context, id)),
      ]),
    ]),
    ...limitReads(webhookRoutes(routeContext.events, changeOnce, allowPrivateWebhooks)),
    ...providerRoutes(context, () => describeAuto(context)),
    ...settingsRoutes(context),
    ...metaRoutes(routeContext.readiness),
    ...surfaceRoutes({
      context,
      docs: readDocs(),
      tokens: String(tokens),
      compat_provider,
      public_url,
      dispatch,
    }),
    ...signInRoutes(context, routeContext.signInServices),
    ...oauthRoutes(routeContext.oauth),
    ...dashboardRoutes(dashboardFiles),
  ];
}

/** These routes read what was charged, and some charges may still be in the journal. */
function bookedFirst({ ledger }: Pick<AppContext, 'ledger'>, routes: readonly Route[]): Route[] {
  return routes.map((route) => {
    const handle = route.handle as (incoming: unknown) => HandlerResult;
    const booked = async (incoming: unknown) => {
      await ledger.bookAll();
      return handle(incoming);
    };
    return { ...route, handle: booked };
  });
}
