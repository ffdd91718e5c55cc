// Reads a JSON body within its limit and checks it against its schema, naming every fault at once.
import { GatewayError, issuesOf } from '@trivium/contract';
import type { ValidationIssue } from '@trivium/contract';
import type { z } from 'zod';
import { decode, DecodingError } from '../platform/decoding.ts';
import { inTime } from './body-time.ts';
import { isTooDeep, maxJsonDepth } from './json-depth.ts';

const max_body_bytes = 1024 * 1024;

export async function readBody<T>(
  request: Request,
  schema: z.ZodType<T>,
  mostBytes = max_body_bytes,
): Promise<T> {
  return validate(schema, parseJson(await readText(request, mostBytes)));
}

export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(issuesOf(parsed.error));
}

export function invalid(issues: readonly ValidationIssue[]): GatewayError {
  const places = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return new GatewayError('invalid_request', `The request is not valid. ${places.join(' ')}`, {
    issues,
  });
}

export async function readText(request: Request, mostBytes = max_body_bytes): Promise<string> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new GatewayError(
      'invalid_request',
      'Send the body as JSON, with Content-Type: application/json.',
    );
  }
  return readWithin(request, mostBytes);
}

/** The fields of a form, as a list, because one may be given twice. */
export async function readForm(request: Request): Promise<[string, string][]> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new GatewayError(
      'invalid_request',
      'Send the body as a form, with Content-Type: application/x-www-form-urlencoded.',
    );
  }
  return [...new URLSearchParams(await readWithin(request, max_body_bytes))];
}

async function readWithin(request: Request, mostBytes: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge(mostBytes);
  return inTime(readDecoded(request, mostBytes));
}

async function readDecoded(request: Request, mostBytes: number): Promise<string> {
  try {
    const body = decode(request.body, request.headers);
    const known = body === request.body && request.headers.has('content-length');
    return decodeText(await (known ? request.bytes() : readCounted(body, mostBytes)));
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error;
    throw new GatewayError('invalid_request', `The body cannot be read: ${error.message}.`);
  }
}

/** Fatal: a byte that is no UTF-8 would otherwise reach the provider as another character. */
const strict_utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeText(bytes: Uint8Array): string {
  try {
    return strict_utf8.decode(bytes);
  } catch {
    throw new GatewayError('invalid_request', 'The body is not UTF-8, which JSON has to be.');
  }
}

/** A body whose decoded length is not known beforehand is counted as it comes. */
async function readCounted(
  body: ReadableStream<Uint8Array> | null,
  mostBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw tooLarge(mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw new GatewayError(
      'invalid_request',
      `The body is nested deeper than ${maxJsonDepth} levels, which is the limit.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    throw new GatewayError('invalid_request', `The body is not valid JSON: ${reason}.`);
  }
}

function tooLarge(mostBytes: number): GatewayError {
  return new GatewayError(
    'invalid_request',
    `The body is larger than ${mostBytes} bytes, which is the limit.`,
    undefined,
    { status: 413 },
  );
}
