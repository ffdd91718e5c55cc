// Every route of the gateway as the gateway itself lists them, for tests that must not miss one.
import { makeRoutes } from '../../server/src/app/routes.ts';
import type { RouteContext } from '../../server/src/app/routes.ts';
import type { Route } from '../../server/src/http/route.ts';

/** Only the descriptions of the routes are used; no handler is called. */
export function routeTable(): readonly Route[] {
  const routeContext = {
    context: { settings: { compat_provider: 'auto', request_defaults: {} } },
    jobs: {},
    signInServices: {},
    oauth: {},
    readiness: {},
  };
  return makeRoutes(routeContext as unknown as RouteContext);
}

type Listener =
  | 'open'
  | 'key'
  | 'key_only'
  | 'session'
  | Extract<Route, { operator: true }>['scope'];

/** Who may call a route: anyone, holders of a key, people with a session, or by scope. */
export function doorOf(route: Route): Listener {
  if (route.operator) return route.scope;
  // Drop-in addresses are authenticated by the internal request, and only with a key.
  if (route.public && /^\/(?:compat|v2)\//.test(route.path)) return 'key_only';
  if (endsSessions.includes(route.path)) return 'session';
  return route.public ? 'open' : 'key';
}

const endsSessions = ['/auth/sign-out', '/auth/revoke-sessions', '/auth/change-password'];
