// Serves one call of a drop-in API: translates it, serves it as a call of our API, and writes the
// answer in the other API's format.
import type { Warning } from '@trivium/contract';
import type { HttpContext } from '../../context.ts';
import { jsonText, invalid, parseJson, readForm, readText } from '../../middleware/body.ts';
import type { Incoming, Query } from '../../route.ts';
import { readPaidHeaders, servePaid, type PaidInput } from '../../serve-paid.ts';
import { readOptions, refuseAdjustments, warningHeaders } from './headers.ts';
import { type Answer, type Body, pickFields, type Shape, translate } from './shape.ts';

export async function serve(
  { tools, admit, settings }: HttpContext,
  shape: Shape,
  { request, request_id, query, keepOpen }: Incoming,
): Promise<Response> {
  const { provider = settings.compat_provider, strict } = readOptions(request.headers);
  const asked =
    shape.takes === 'json' ? parseJson(await readText(request)) : await readFields(request, query);
  const { given, request: ours, warnings } = translate(shape, asked);
  const own = shape.own?.id;
  // Fusion is excluded: it would pay for vendor options whose results it cannot show.
  const mayUseNative = own !== undefined && (provider === own || provider === 'auto');
  const named = provider === own ? shape.own?.named?.(given, ours) : undefined;
  const native = {
    ...(mayUseNative ? nativeOptions(shape, given, warnings) : {}),
    ...named?.native,
  };
  const remaining = warnings.filter((warning) => !Object.hasOwn(native, topOf(warning)));
  if (strict) refuseAdjustments(provider === own ? remaining : warnings);
  const hasNative = Object.keys(native).length > 0;
  const options = hasNative ? { provider_options: { [own ?? '']: native } } : {};
  const stored = shape.storedAs?.(request);
  const { [webhookHeader]: _webhook, ...headers } = readPaidHeaders(request.headers);
  const input: PaidInput = {
    request_id,
    body: { ...(named?.request ?? ours), ...options, provider, strict },
    // The API key that sent the request can read its answer later under this idempotency key.
    headers: stored ? { ...headers, 'idempotency-key': stored.key } : headers,
    signal: request.signal,
    isLong: stored !== undefined,
    wants: { vendorFields: hasNative },
  };
  return admit(authorizationOf(request, shape.keyIn?.(given)), async (caller) => {
    keepOpen?.();
    const served = await (shape.tool === 'search'
      ? servePaid(tools.search, caller, input)
      : servePaid(tools.extract, caller, input));
    const answer: Answer = JSON.parse(served.text);
    const adjusted = answer.provider === own ? remaining : warnings;
    const text = JSON.stringify(shape.toAnswer(given, answer, stored));
    const answerHeaders = {
      'x-trivium-provider': answer.provider,
      'x-trivium-cost-usd': String(answer.usage.cost_usd),
      ...warningHeaders([...adjusted, ...answer.warnings]),
    };
    return jsonText(text, 200, { ...answerHeaders, ...served.headers }, caller.account_id);
  });
}

const webhookHeader = 'x-trivium-webhook';
const maxNameChars = 200;
const givenTwice = { code: 'duplicate', message: 'Appears more than once; send it once.' };

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

/** Exa's clients send x-api-key, and some clients cannot send headers at all. */
function authorizationOf({ headers }: Request, keyInBody: string | null | undefined) {
  const given = headers.get('authorization');
  if (given !== null) return given;
  const key = headers.get('x-api-key') ?? keyInBody ?? null;
  return key === null ? null : `Bearer ${key}`;
}

/** Parameters without a counterpart here are passed on to the vendor whose API it is. */
function nativeOptions({ own }: Shape, given: Body, warnings: readonly Warning[]): Body {
  const unmatched = new Set(warnings.map(topOf));
  const names = (own?.native ?? []).filter((name) => unmatched.has(name));
  return pickFields(given, names);
}

function topOf({ param = '' }: Warning): string {
  return param.split('.')[0] ?? '';
}
