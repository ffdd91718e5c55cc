// The table of routes. Only what is listed here can be reached.
import type { HttpContext } from '../context.ts';
import type { Route } from '../route.ts';
import { adminRoutes } from './admin/accounts.ts';
import { overviewRoutes, settingsRoutes } from './admin/reports.ts';
import { requestLogRoutes } from './admin/request-log.ts';
import { webhookRoutes } from './admin/webhooks.ts';
import { estimateRoutes } from './api/estimates.ts';
import { feedbackRoutes } from './api/feedback.ts';
import { metaRoutes, providerRoutes } from './api/meta.ts';
import { accountRoutes, ownUseRoutes } from './api/own-use.ts';
import { toolRoutes } from './api/tools.ts';
import { uploadRoutes } from './api/uploads.ts';
import { callbackRoutes } from './callbacks/routes.ts';
import { compatRoutes } from './compat/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { oauthRoutes } from './oauth.ts';
import { openAiRoutes } from './openai/routes.ts';
import { peopleRoutes } from './people.ts';
import { dashboardRoutes, docsRoutes } from './web-files.ts';

const groups: readonly ((context: HttpContext) => Route[])[] = [
  ...[toolRoutes, uploadRoutes, openAiRoutes, callbackRoutes, accountRoutes, estimateRoutes],
  ...[feedbackRoutes, ownUseRoutes, adminRoutes, requestLogRoutes, overviewRoutes, webhookRoutes],
  ...[providerRoutes, settingsRoutes, metaRoutes, docsRoutes, mcpRoutes, compatRoutes],
  ...[peopleRoutes, oauthRoutes, dashboardRoutes],
];

export function makeRoutes(context: HttpContext): Route[] {
  return groups.flatMap((routesOf) => routesOf(context));
}
