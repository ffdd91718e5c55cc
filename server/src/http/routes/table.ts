// The table of routes. Only what is listed here can be reached.
import type { HttpContext } from '../context.ts';
import type { Route } from '../route.ts';
import { adminRoutes } from './admin/accounts.ts';
import { reportRoutes } from './admin/reports.ts';
import { webhookRoutes } from './admin/webhooks.ts';
import { metaRoutes } from './api/meta.ts';
import { freeRoutes } from './api/free.ts';
import { toolRoutes } from './api/tools.ts';
import { uploadRoutes } from './api/uploads.ts';
import { compatRoutes } from './compat/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { oauthRoutes } from './oauth.ts';
import { openAiRoutes } from './openai/routes.ts';
import { peopleRoutes } from './people.ts';
import { dashboardRoutes, docsRoutes } from './web-files.ts';

const groups: readonly ((context: HttpContext) => Route[])[] = [
  ...[toolRoutes, uploadRoutes, openAiRoutes, freeRoutes, adminRoutes, reportRoutes],
  ...[webhookRoutes, metaRoutes, docsRoutes, mcpRoutes, compatRoutes],
  ...[peopleRoutes, oauthRoutes, dashboardRoutes],
];

export function makeRoutes(context: HttpContext): Route[] {
  return groups.flatMap((routesOf) => routesOf(context));
}
