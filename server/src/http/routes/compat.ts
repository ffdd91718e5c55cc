// Drop-in addresses under /compat: other APIs' shapes, passed through the gateway's own door, so
// that keys, money, limits and logs are those of every request.
import { issuesOf } from '@trivium/contract';
import type { ExtractResponse, Warning } from '@trivium/contract';
import { z } from 'zod';
import { exa_contents, exa_search } from '../../compat/exa.ts';
import { nativeOptions, unhonoured } from '../../compat/own-vendor.ts';
import { perplexity_search } from '../../compat/perplexity.ts';
import { searxng_search } from '../../compat/searxng.ts';
import type { Body, SearchAnswer, Shape, Translated } from '../../compat/shape.ts';
import { tavily_extract, tavily_search } from '../../compat/tavily.ts';
import type { Incoming, Route } from '../app.ts';
import { invalid, parseJson, readForm, readText } from '../body.ts';
import { answerHeaders, readWishes, refuseAdjustments } from '../compat-headers.ts';
import type { Dispatch } from '../dispatch.ts';
import type { Query } from '../given-once.ts';
import { markForVendorFields } from '../vendor-fields.ts';

const shapes: readonly Shape[] = [
  tavily_search,
  tavily_extract,
  exa_search,
  exa_contents,
  perplexity_search,
  searxng_search,
];

export function compatRoutes(default_provider: string, dispatch: Dispatch): Route[] {
  return shapes.flatMap((shape) =>
    shape.paths.flatMap((path) =>
      methodsOf(shape).map((method): Route => ({
        method,
        path: `/compat${path}`,
        // The request inside is authenticated; here the key may still be in another API's place.
        public: true,
        handle: (incoming) => serve(shape, incoming, default_provider, dispatch),
      })),
    ),
  );
}

function methodsOf({ takes }: Shape): readonly ('GET' | 'POST')[] {
  return takes === 'json' ? ['POST'] : ['GET', 'POST'];
}

async function serve(
  shape: Shape,
  { request, request_id, query }: Incoming,
  default_provider: string,
  dispatch: Dispatch,
): Promise<Response> {
  const { provider = default_provider, strict } = readWishes(request.headers);
  const asked =
    shape.takes === 'json' ? parseJson(await readText(request)) : await readFields(request, query);
  const { request: ours, warnings } = translate(shape, asked);
  const own = shape.own?.id;
  // A panel would pay for options whose outcome it cannot show.
  const mayServe = own !== undefined && (provider === own || provider === 'auto');
  const native = mayServe ? nativeOptions(shape, asked, warnings) : {};
  const left = unhonoured(warnings, native);
  if (strict) refuseAdjustments(provider === own ? left : warnings);
  const passed = Object.keys(native).length > 0;
  const options = passed ? { provider_options: { [own ?? '']: native } } : {};
  const body = { ...ours, ...options, provider, strict };
  const innerAsked = innerRequest(shape, request, asked, body);
  if (passed) markForVendorFields(innerAsked);
  const inner = await dispatch(innerAsked, request_id);
  if (!inner.ok) return inner;
  const answer = (await inner.json()) as SearchAnswer & ExtractResponse;
  return success(shape, asked, inner, answer, answer.provider === own ? left : warnings);
}

const maxNameChars = 200;
const givenTwice = { code: 'duplicate', message: 'Given more than once; give it once.' };

/** The fields of the address and, of a form, those of its body. */
async function readFields(request: Request, query: Query): Promise<Record<string, string>> {
  const fields = [
    ...Object.entries(query),
    ...(request.method === 'POST' ? await readForm(request) : []),
  ];
  const seen = new Set<string>();
  for (const [name] of fields) {
    if (seen.has(name)) throw invalid([{ path: name.slice(0, maxNameChars), ...givenTwice }]);
    seen.add(name);
  }
  return Object.fromEntries(fields);
}

function translate(shape: Shape, asked: unknown): Translated {
  try {
    return shape.toRequest(asked);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw invalid(issuesOf(error));
  }
}

/** The headers of ours that a caller may send along. */
const passed_on = ['idempotency-key', 'x-max-cost-usd'];

function innerRequest(shape: Shape, request: Request, asked: unknown, body: Body): Request {
  const headers = new Headers({ 'content-type': 'application/json' });
  const authorization = authorizationOf(shape, request, asked);
  if (authorization !== undefined) headers.set('authorization', authorization);
  for (const [name, value] of kept(request, passed_on)) headers.set(name, value);
  const { origin } = new URL(request.url);
  return new Request(`${origin}/v1/${shape.tool}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: request.signal,
  });
}

/** Exa sends x-api-key, and some programs can send no header at all. */
function authorizationOf(shape: Shape, { headers }: Request, asked: unknown): string | undefined {
  const given = headers.get('authorization');
  if (given !== null) return given;
  const key = headers.get('x-api-key') ?? shape.keyIn?.(asked);
  return key === undefined ? undefined : `Bearer ${key}`;
}

function success(
  shape: Shape,
  asked: unknown,
  inner: Response,
  answer: SearchAnswer & ExtractResponse,
  warnings: readonly Warning[],
): Response {
  const headers = answerHeaders(answer, [...warnings, ...answer.warnings]);
  return Response.json(shape.toAnswer(asked, answer), {
    headers: { ...headers, ...Object.fromEntries(kept(inner, ['idempotent-replayed'])) },
  });
}

function kept({ headers }: Request | Response, names: readonly string[]): [string, string][] {
  return names.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}
