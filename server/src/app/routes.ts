// The table of routes: only what is listed here can be reached.
import { makeAdmit } from '../http/admit.ts';
import type { Limiters } from '../http/admit.ts';
import { accountRoutes } from '../http/routes/api/balance.ts';
import { adminRoutes } from '../http/routes/admin/routes.ts';
import { callbackRoutes } from '../http/routes/callbacks/routes.ts';
import tokens from '@trivium/dashboard/tokens.css' with { type: 'text' };
import { dashboardRoutes } from '../http/routes/dashboard/files.ts';
import { estimateRoutes } from '../http/routes/api/estimates.ts';
import { openAiRoutes } from '../http/routes/openai/routes.ts';
import { metaRoutes } from '../http/routes/api/meta.ts';
import type { Readiness } from '../http/routes/api/meta.ts';
import { requestLogRoutes } from '../http/routes/admin/request-log.ts';
import { oauthRoutes } from '../http/routes/oauth/routes.ts';
import type { OAuthServices } from '../http/routes/oauth/routes.ts';
import { overviewRoutes } from '../http/routes/admin/reports.ts';
import { ownUseRoutes } from '../http/routes/api/own-use.ts';
import { describeAll, providerRoutes } from '../http/routes/api/providers.ts';
import { settingsRoutes } from '../http/routes/admin/settings.ts';
import { signInRoutes } from '../http/routes/dashboard/sign-in.ts';
import type { SignInServices } from '../http/routes/dashboard/sign-in.ts';
import { limitReads, makeReadLimit } from '../http/middleware/read-limit.ts';
import { surfaceRoutes } from '../http/routes/surfaces.ts';
import { makePaidTools, toolRoutes } from '../http/routes/api/tools.ts';
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
  limiters: Limiters;
}

export function makeRoutes(routeContext: RouteContext): Route[] {
  const { context, authenticator, jobs, sandboxHosts } = routeContext;
  const { changeOnce } = routeContext.signInServices;
  const { compat_provider, public_url } = context.settings;
  const { allow_private_webhooks: allowPrivateWebhooks } = context.settings;
  const tools = makePaidTools(context, jobs, { privateHosts: sandboxHosts, allowPrivateWebhooks });
  const paid = { tools, admit: makeAdmit(authenticator, routeContext.limiters) };
  const enterRead = makeReadLimit();
  const describe = () => describeAll(context, describeAuto(context));
  return [
    ...toolRoutes(jobs, tools),
    ...uploadRoutes(jobs.uploads),
    ...openAiRoutes(jobs, paid),
    ...callbackRoutes(jobs),
    ...bookedFirst(context, [
      ...accountRoutes(context),
      ...estimateRoutes(context, jobs, sandboxHosts),
      ...limitReads(
        [
          ...ownUseRoutes(context),
          ...adminRoutes(context, authenticator, changeOnce),
          ...requestLogRoutes(context),
          ...overviewRoutes(context, (id) => checkProvider(context, id)),
        ],
        enterRead,
      ),
    ]),
    ...limitReads(webhookRoutes(routeContext.events, changeOnce, allowPrivateWebhooks)),
    ...providerRoutes(describe),
    ...settingsRoutes(context),
    ...metaRoutes(routeContext.readiness),
    ...surfaceRoutes({
      context,
      docs: readDocs(),
      tokens: String(tokens),
      compat_provider,
      public_url,
      paid,
      enterRead,
      describe,
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
