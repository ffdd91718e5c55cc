// Lets pages of other origins use the gateway, when the operator names them. Cookies are never
// allowed along, so that a page acts with the key it was given and with nobody's session.

type Serve = (request: Request) => Response | Promise<Response>;

/** `origins` are those allowed; `*` stands for all. */
export function allowOrigins(origins: readonly string[], serve: Serve): Serve {
  if (origins.length === 0) return serve;
  return async (request) => {
    const origin = request.headers.get('origin');
    const allowed = origin !== null && (origins.includes('*') || origins.includes(origin));
    if (!allowed) return serve(request);
    const asks_first =
      request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
    const response = asks_first ? new Response(null, { status: 204 }) : await serve(request);
    const { headers } = response;
    for (const [name, value] of Object.entries(asks_first ? permissions : exposed)) {
      headers.set(name, value);
    }
    headers.set('access-control-allow-origin', origin);
    headers.append('vary', 'origin');
    return response;
  };
}

const sent = [
  ...['authorization', 'content-type', 'accept', 'idempotency-key', 'x-max-cost-usd'],
  ...['x-api-key', 'x-trivium-provider', 'x-trivium-strict', 'mcp-protocol-version'],
];
const permissions = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers': sent.join(', '),
  'access-control-max-age': '600',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};
const told = [
  ...['x-request-id', 'retry-after', 'idempotent-replayed', 'x-trivium-provider'],
  ...['x-trivium-cost-usd', 'x-trivium-warnings'],
];
const exposed = { 'access-control-expose-headers': told.join(', ') };
