// Serves one call of a drop-in API: translates it, dispatches it to the public API, and writes the
// answer in the other API's format.
import { issuesOf } from '@trivium/contract';
import type { ExtractResponse, Warning } from '@trivium/contract';
import { z } from 'zod';
import { nativeOptions, remainingWarnings } from './own-vendor.ts';
import type { Body, SearchAnswer, Shape, StoredAs, Translated } from './shape.ts';
import { invalid, parseJson, readForm, readText } from '../../middleware/body.ts';
import { answerHeaders, readOptions, refuseAdjustments } from './headers.ts';
import type { Dispatch } from '../../dispatch.ts';
import type { Query } from '../../middleware/request-checks.ts';
import { markForVendorFields } from './vendor-fields.ts';
import { compareText } from '../../middleware/compared-as.ts';
import { markForLongAnswer } from '../../middleware/long-answers.ts';
import type { Incoming } from '../../route.ts';
import { ownerOf } from '../../../platform/outbox.ts';
import { jsonText } from '../../json-text.ts';

export async function serve(
  shape: Shape,
  { request, request_id, query }: Pick<Incoming, 'request' | 'request_id' | 'query'>,
  defaultProvider: string,
  dispatch: Dispatch,
): Promise<Response> {
  const { provider = defaultProvider, strict } = readOptions(request.headers);
  const asked =
    shape.takes === 'json' ? parseJson(await readText(request)) : await readFields(request, query);
  const { request: ours, warnings } = translate(shape, asked);
  const own = shape.own?.id;
  // Fusion is excluded: it would pay for vendor options whose results it cannot show.
  const mayUseNative = own !== undefined && (provider === own || provider === 'auto');
  const named = provider === own ? shape.own?.named?.(asked, ours) : undefined;
  const native = {
    ...(mayUseNative ? nativeOptions(shape, asked, warnings) : {}),
    ...named?.native,
  };
  const remaining = remainingWarnings(warnings, native);
  if (strict) refuseAdjustments(provider === own ? remaining : warnings);
  const hasNative = Object.keys(native).length > 0;
  const options = hasNative ? { provider_options: { [own ?? '']: native } } : {};
  const body = { ...(named?.request ?? ours), ...options, provider, strict };
  const apiRequest = toApiRequest(shape, request, asked, body);
  if (hasNative || named) compareText(apiRequest, JSON.stringify({ ...ours, provider, strict }));
  if (hasNative) markForVendorFields(apiRequest);
  const stored = shape.storedAs?.(request);
  if (stored !== undefined) storeLongAnswer(apiRequest, stored.key);
  const response = await dispatch(apiRequest, request_id);
  if (!response.ok) return response;
  const answer = (await response.json()) as SearchAnswer & ExtractResponse;
  const told = answer.provider === own ? remaining : warnings;
  return success(shape, { asked, stored }, response, answer, told);
}

const maxNameChars = 200;
const givenTwice = { code: 'duplicate', message: 'Given more than once; give it once.' };

/** The query parameters, and the fields of a form body. */
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

/** Request headers that are forwarded. */
const forwardedHeaders = ['idempotency-key', 'x-max-cost-usd', 'x-trivium-tags', 'x-trivium-cache'];

function toApiRequest(shape: Shape, request: Request, asked: unknown, body: Body): Request {
  const headers = new Headers({ 'content-type': 'application/json' });
  const authorization = authorizationOf(shape, request, asked);
  if (authorization !== undefined) headers.set('authorization', authorization);
  for (const [name, value] of pick(request, forwardedHeaders)) headers.set(name, value);
  const { origin } = new URL(request.url);
  return new Request(`${origin}/v1/${shape.tool}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: request.signal,
  });
}

/** The API key that sent the request can read its answer later under this idempotency key. */
function storeLongAnswer(apiRequest: Request, key: string): void {
  apiRequest.headers.set('idempotency-key', key);
  markForLongAnswer(apiRequest);
}

/** Exa sends x-api-key, and some clients cannot send headers at all. */
function authorizationOf(shape: Shape, { headers }: Request, asked: unknown): string | undefined {
  const given = headers.get('authorization');
  if (given !== null) return given;
  const key = headers.get('x-api-key') ?? shape.keyIn?.(asked);
  return key === undefined ? undefined : `Bearer ${key}`;
}

function success(
  shape: Shape,
  { asked, stored }: { asked: unknown; stored: StoredAs | undefined },
  response: Response,
  answer: SearchAnswer & ExtractResponse,
  warnings: readonly Warning[],
): Response {
  const headers = answerHeaders(answer, [...warnings, ...answer.warnings]);
  return jsonText(
    JSON.stringify(shape.toAnswer(asked, answer, stored)),
    200,
    {
      ...headers,
      ...Object.fromEntries(pick(response, ['idempotent-replayed', 'x-trivium-cache'])),
    },
    ownerOf(response),
  );
}

function pick({ headers }: Request | Response, names: readonly string[]): [string, string][] {
  return names.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}
