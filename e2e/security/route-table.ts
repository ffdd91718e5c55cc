// Every route of the gateway as the gateway itself lists them, for tests that must not miss one.
import { makeRoutes } from '../../server/src/app/routes.ts';
import type { RouteContext } from '../../server/src/app/routes.ts';
import type { Route } from '../../server/src/http/route.ts';

/** Only the descriptions of the routes are used; no handler is called. */
export function routeTable(): readonly Route[] {
  const routeContext = {
    context: { settings: { compat_provider: 'auto', request_defaults: {} } },
    authenticator: {},
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
  | Extract<Route, { role: 'admin' }>['scope'];

/** Who may call a route: anyone, holders of a key, people with a session, or by scope. */
export function doorOf(route: Route): Listener {
  if (route.role === 'admin') return route.scope;
  if (route.role === 'drop_in') return 'key_only';
  if (endsSessions.includes(route.path)) return 'session';
  return route.role === 'caller' ? 'key' : 'open';
}

const endsSessions = ['/auth/sign-out', '/auth/revoke-sessions', '/auth/change-password'];
