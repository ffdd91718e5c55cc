// Drop-in addresses under /compat: other APIs' shapes, passed through the gateway's own door, so
// that keys, money, limits and logs are those of every request.
import { GatewayError } from '@trivium/contract';
import type { ErrorEnvelope, ExtractResponse, SearchResponse } from '@trivium/contract';
import { z } from 'zod';
import { exa_contents, exa_search } from '../../compat/exa.ts';
import { perplexity_search } from '../../compat/perplexity.ts';
import { searxng_search } from '../../compat/searxng.ts';
import type { Body, Shape } from '../../compat/shape.ts';
import { tavily_extract, tavily_search } from '../../compat/tavily.ts';
import type { Route } from '../app.ts';
import { parseJson, readText } from '../body.ts';
import type { Dispatch } from '../dispatch.ts';

const shapes: readonly Shape[] = [
  tavily_search,
  tavily_extract,
  exa_search,
  exa_contents,
  perplexity_search,
  searxng_search,
];

export function compatRoutes(default_provider: string, dispatch: Dispatch): Route[] {
  return shapes.map((shape) => ({
    method: shape.method,
    path: `/compat${shape.path}`,
    // The request inside is authenticated; here the key may still be in another API's header.
    public: true,
    handle: ({ request }) => serve(shape, request, default_provider, dispatch),
  }));
}

async function serve(
  shape: Shape,
  request: Request,
  default_provider: string,
  dispatch: Dispatch,
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  try {
    const asked =
      shape.method === 'GET'
        ? Object.fromEntries(searchParams)
        : parseJson(await readText(request));
    const provider = request.headers.get('x-trivium-provider') ?? default_provider;
    const inner = await dispatch(innerRequest(shape, request, translate(shape, asked), provider));
    const body: unknown = await inner.json();
    if (!inner.ok) return failure(shape, inner, (body as ErrorEnvelope).error);
    return success(shape, asked, inner, body);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { type, message, status } = error;
    return Response.json(shape.toError({ type, message }, status), { status });
  }
}

function translate(shape: Shape, asked: unknown): Body {
  try {
    return shape.toRequest(asked);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const faults = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new GatewayError('invalid_request', `The request is not valid. ${faults.join(' ')}`);
  }
}

/** The headers of ours that a caller may send along. */
const passed_on = ['idempotency-key', 'x-max-cost-usd'];

function innerRequest(shape: Shape, request: Request, body: Body, provider: string): Request {
  const headers = new Headers({ 'content-type': 'application/json' });
  const authorization = authorizationOf(request);
  if (authorization !== undefined) headers.set('authorization', authorization);
  for (const name of passed_on) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { origin } = new URL(request.url);
  return new Request(`${origin}/v1/${shape.tool}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...body, provider }),
    signal: request.signal,
  });
}

/** Exa sends x-api-key, and programs for SearXNG can often send no header at all. */
function authorizationOf({ headers, method, url }: Request): string | undefined {
  const given = headers.get('authorization');
  if (given !== null) return given;
  const in_address = method === 'GET' ? new URL(url).searchParams.get('key') : null;
  const key = headers.get('x-api-key') ?? in_address;
  return key === null ? undefined : `Bearer ${key}`;
}

function success(shape: Shape, asked: unknown, inner: Response, body: unknown): Response {
  const answer = body as SearchResponse & ExtractResponse;
  const { provider, usage, warnings } = answer;
  const adjusted = warnings.map(({ code, param }) => `${param ?? ''} ${code}`.trim());
  return Response.json(shape.toAnswer(asked, answer), {
    headers: {
      'x-trivium-provider': provider,
      'x-trivium-cost-usd': String(usage.cost_usd),
      ...(adjusted.length === 0 ? {} : { 'x-trivium-warnings': adjusted.join(', ') }),
      ...kept(inner, ['idempotent-replayed']),
    },
  });
}

function failure(shape: Shape, inner: Response, error: ErrorEnvelope['error']): Response {
  const headers = kept(inner, ['retry-after', 'www-authenticate']);
  return Response.json(shape.toError(error, inner.status), { status: inner.status, headers });
}

function kept({ headers }: Response, names: readonly string[]): Record<string, string> {
  const found = names.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}
