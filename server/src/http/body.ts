// Reads a JSON body within its limit and checks it against its schema, naming every fault at once.
import { GatewayError, issuesOf } from '@trivium/contract';
import type { ValidationIssue } from '@trivium/contract';
import type { z } from 'zod';
import { decode, DecodingError } from '../platform/decoding.ts';
import { inTime } from './body-time.ts';
import { isTooDeep, maxJsonDepth } from './json-depth.ts';

const max_body_bytes = 1024 * 1024;

export async function readBody<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  return validate(schema, parseJson(await readText(request)));
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

export async function readText(request: Request): Promise<string> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new GatewayError(
      'invalid_request',
      'Send the body as JSON, with Content-Type: application/json.',
    );
  }
  return readWithin(request);
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
  return [...new URLSearchParams(await readWithin(request))];
}

async function readWithin(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > max_body_bytes) throw tooLarge();
  return inTime(readDecoded(request));
}

async function readDecoded(request: Request): Promise<string> {
  try {
    const body = decode(request.body, request.headers);
    const known = body === request.body && request.headers.has('content-length');
    return await (known ? request.text() : readCounted(body));
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error;
    throw new GatewayError('invalid_request', `The body cannot be read: ${error.message}.`);
  }
}

/** A body whose decoded length is not known beforehand is counted as it comes. */
async function readCounted(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > max_body_bytes) throw tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
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

function tooLarge(): GatewayError {
  return new GatewayError(
    'invalid_request',
    `The body is larger than ${max_body_bytes} bytes, which is the limit.`,
    undefined,
    { status: 413 },
  );
}
