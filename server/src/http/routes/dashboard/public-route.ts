// A route of the dashboard that needs no session.
import type { HandlerResult, Incoming, Route } from '../../route.ts';

/** A small limit, because the client is not authenticated yet. */
export const maxSignInBytes = 64 * 1024;

export function publicRoute(
  method: Route['method'],
  path: string,
  handle: (incoming: Incoming) => HandlerResult,
): Route {
  return { method, path, public: true, dashboard: true, handle };
}
