// Cross-origin requests (CORS), for the origins that the operator lists. Credentials are never
// allowed: a page of another origin uses its API key, not a session cookie.
import { answerHeaders, headersFromPages } from '@trivium/contract/headers';

type Serve = () => Response | Promise<Response>;

/** `*` allows all origins. */
export function allowOrigins(origins: readonly string[]) {
  const isAny = origins.includes('*');
  return async ({ method, headers }: Request, serve: Serve): Promise<Response> => {
    // A preflight request does not reach a route.
    const isPreflight = method === 'OPTIONS';
    const response = isPreflight ? new Response(null, preflight) : await serve();
    const origin = headers.get('origin') ?? '';
    const allowed = isAny ? '*' : origins.find((one) => one === origin);
    if (allowed !== undefined) response.headers.set('access-control-allow-origin', allowed);
    response.headers.set('access-control-expose-headers', responseHeaders.join(','));
    if (!isAny) response.headers.append('vary', 'Origin');
    if (isPreflight) response.headers.append('vary', 'Access-Control-Request-Headers');
    return response;
  };
}

const responseHeaders = Object.keys(answerHeaders);

const preflight = {
  status: 204,
  headers: {
    'access-control-max-age': '600',
    'access-control-allow-methods': 'GET,POST,PATCH,DELETE',
    'access-control-allow-headers': headersFromPages.join(','),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
};
