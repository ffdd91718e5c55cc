// Cross-origin requests (CORS), for the origins that the operator lists. Credentials are never
// allowed: a page of another origin acts with its API key, not with a session cookie.
import { cors } from 'hono/cors';
import type { MiddlewareHandler } from 'hono';

/** `*` allows all origins. */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler[] {
  return [
    markPreflight,
    cors({
      origin: origins.includes('*') ? '*' : [...origins],
      allowMethods: ['GET', 'POST', 'PATCH', 'DELETE'],
      allowHeaders: requestHeaders,
      exposeHeaders: responseHeaders,
      maxAge: 600,
    }),
  ];
}

/** A preflight reaches no route, so it gets the headers of every other response here. */
const markPreflight: MiddlewareHandler = async (context, next) => {
  await next();
  if (context.req.method !== 'OPTIONS') return;
  context.res.headers.set('cache-control', 'no-store');
  context.res.headers.set('x-content-type-options', 'nosniff');
};

const requestHeaders = [
  ...['authorization', 'content-type', 'accept', 'idempotency-key', 'x-max-cost-usd'],
  ...['x-api-key', 'x-trivium-provider', 'x-trivium-strict', 'x-trivium-tags'],
  ...['x-trivium-cache', 'mcp-protocol-version'],
];
const responseHeaders = [
  ...['x-request-id', 'retry-after', 'idempotent-replayed', 'x-trivium-provider'],
  ...['x-trivium-cost-usd', 'x-trivium-warnings', 'x-trivium-cache'],
];
