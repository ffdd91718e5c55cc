// Every route of the gateway as the gateway itself lists them, for tests that must not miss one.
import { dashboardFiles } from '../../server/src/app/http-context.ts';
import type { HttpContext } from '../../server/src/http/context.ts';
import type { Route } from '../../server/src/http/route.ts';
import { makePaidTools } from '../../server/src/http/routes/api/tools.ts';
import { makeRoutes } from '../../server/src/http/routes/table.ts';

/** Only the descriptions of the routes are used; no handler is called. */
export function routeTable(): readonly Route[] {
  const context = {
    settings: { request_defaults: {} },
    jobs: {},
    readiness: {},
    authenticator: {},
    dashboardAuth: {},
    oauth: {},
    events: { settings: {} },
    dashboard: dashboardFiles,
  } as unknown as HttpContext;
  const tools = makePaidTools(context, context.jobs);
  return makeRoutes({ ...context, tools });
}

type Listener =
  | 'open'
  | 'key'
  | 'key_only'
  | 'session'
  | Extract<Route, { role: 'admin' }>['scope'];

/** Who may call a route: anyone, holders of a key, people with a session, or by scope. */
export function doorOf(route: Route): Listener {
  if (route.role === 'admin') return route.scope;
  if (route.role === 'drop_in') return 'key_only';
  if (endsSessions.includes(route.path)) return 'session';
  return route.role === 'caller' ? 'key' : 'open';
}

const endsSessions = ['/auth/sign-out', '/auth/revoke-sessions', '/auth/change-password'];
