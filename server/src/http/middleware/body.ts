// Bodies. A request body is read within limits on time and size, including its size after
// decompression, and validated against its schema. A response may contain JSON that is already
// text.
import { addKnownFields, GatewayError, issuesOf } from '@trivium/contract';
import type { GatewayErrorOptions, ValidationIssue } from '@trivium/contract';
import type { z } from 'zod';
import { decode, DecodingError } from '../../platform/streams.ts';
import { withTimeLimit } from '../../platform/clock.ts';
import { longChars, setOwner } from '../../platform/listen.ts';

const maxBodyBytes = 1024 * 1024;
/** Reading a field takes many times longer than reading its characters. */
const maxFormFields = 1000;
/** A client that sends slowly must not occupy a slot for longer than this. */
const bodyTimeLimitMs = 15_000;

export async function readBody<T>(
  request: Request,
  schema: z.ZodType<T>,
  maxBytes = maxBodyBytes,
): Promise<T> {
  return validate(schema, parseJson(await readText(request, maxBytes)));
}

export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value, addKnownFields);
  if (parsed.success) return parsed.data;
  throw invalid(issuesOf(parsed.error));
}

export function invalid(issues: readonly ValidationIssue[]): GatewayError {
  const lines = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return new GatewayError('invalid_request', `The request is not valid. ${lines.join(' ')}`, {
    issues,
  });
}

export function readText(request: Request, maxBytes = maxBodyBytes): Promise<string> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw badRequest('Send the body as JSON, with Content-Type: application/json.');
  }
  return readLimited(request, maxBytes);
}

/** A list, as a field may be sent twice. An empty body may have another type. */
export async function readForm(
  request: Request,
  maxBytes = maxBodyBytes,
): Promise<[string, string][]> {
  const text = await readLimited(request, maxBytes);
  const type = request.headers.get('content-type') ?? '';
  if (text !== '' && !/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    const formType = 'application/x-www-form-urlencoded';
    throw badRequest(`Send the body as a form, with Content-Type: ${formType}.`);
  }
  if (text.split('&', maxFormFields + 1).length > maxFormFields) {
    throw badRequest(`The form has more than ${maxFormFields} fields.`);
  }
  return [...new URLSearchParams(text)];
}

function readLimited(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return withTimeLimit(readDecoded(request, maxBytes), bodyTimeLimitMs, tooSlow);
}

function readDecoded(request: Request, maxBytes: number): Promise<string> {
  const { headers } = request;
  const isKnown = headers.has('content-length') && !headers.has('content-encoding');
  return isKnown ? request.bytes().then(decodeText) : decodeCounted(request, maxBytes);
}

async function decodeCounted(request: Request, maxBytes: number): Promise<string> {
  try {
    const { headers } = request;
    return decodeText(await readCounted(decode(request.body, headers), maxBytes));
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error;
    throw badRequest(`The body cannot be read: ${error.message}.`);
  }
}

/** Fatal, so that an invalid byte is refused instead of reaching the provider as U+FFFD. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function decodeText(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw badRequest('The body is not UTF-8, as JSON must be.');
  }
}

/** Counts a body while it arrives, because its decoded length is unknown. */
async function readCounted(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw badRequest(`The body is nested more than ${maxJsonDepth} levels deep.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    throw badRequest(`The body is not valid JSON: ${reason}.`);
  }
}

function tooSlow(): GatewayError {
  const message = `The body did not arrive within ${bodyTimeLimitMs / 1000} s. Send it without pauses.`;
  // The unread rest of the body must not be parsed as the next request.
  return badRequest(message, { status: 408, headers: { connection: 'close' } });
}

function tooLarge(maxBytes: number): GatewayError {
  return badRequest(`The body is larger than the limit of ${maxBytes} bytes.`, { status: 413 });
}

export function badRequest(message: string, options?: GatewayErrorOptions): GatewayError {
  return new GatewayError('invalid_request', message, undefined, options);
}

export const maxJsonDepth = 100;

/** True if the JSON text is nested deeper than `maxJsonDepth`. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > maxJsonDepth) return true;
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** No client reads it. It marks the request as abandoned in the metrics. */
export const clientClosedRequest = 499;

/** A long text states its length, so that the listener can limit how much waits for clients. */
export function jsonText(
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
  accountId?: string,
): Response {
  const isLong = text.length > longChars;
  const given: Record<string, string> = { 'content-type': 'application/json' };
  if (isLong) given['content-length'] = String(Buffer.byteLength(text));
  const response = new Response(text, { status, headers: Object.assign(given, headers) });
  return isLong ? setOwner(response, accountId) : response;
}

export function acceptsGzip({ headers }: Request): boolean {
  return /\bgzip\b/.test(headers.get('accept-encoding') ?? '');
}
