// Checks the query, the path and the headers. A parameter or header that is sent twice is refused,
// because two readers could each use a different value.
import type { GatewayError } from '@trivium/contract';
import { singleHeaders } from '@trivium/contract/headers';
import { boundedMap } from '../../platform/bounded-map.ts';
import { invalidPart } from './body.ts';
import type { Connection, Incoming, Query } from '../route.ts';

/** The request as handlers get it. */
export function checkRequest(
  request: Request,
  requestId: string,
  { address = unknownAddress, keepOpen }: Partial<Connection>,
  params: Incoming['params'],
): Incoming {
  checkHeaders(request.headers);
  for (const name in params) checkText(name, params[name] ?? '');
  const query = readQuery(request.url);
  const open = keepOpen ? { keepOpen } : {};
  return { request, request_id: requestId, address, params, query, ...open };
}

const unknownAddress = () => '';

const noQuery: Query = Object.freeze({});

/** The query parameters by their decoded names. */
function readQuery(url: string): Query {
  const start = url.indexOf('?');
  if (start === -1) return noQuery;
  const seen = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (seen.has(name)) throw givenTwice(name, `The parameter ${excerptOf(name)}`);
    checkText(name, name);
    checkText(name, value);
    seen.set(name, value);
  }
  return Object.fromEntries(seen);
}

/** PostgreSQL cannot store or compare text that contains NUL. */
function checkText(name: string, value: string): void {
  if (!value.includes('\0')) return;
  throw invalidPart(
    excerptOf(name),
    'invalid_text',
    `${excerptOf(name)} must not contain a NUL character.`,
  );
}

/** Bun joins the values of a repeated header with a comma and a space. */
function checkHeaders(headers: Headers): void {
  for (const { name, joint } of singleHeaders) {
    if (headers.get(name)?.includes(joint)) throw givenTwice(name, `The header ${name}`);
  }
}

/** Parsing a URL costs more than a lookup, and few distinct hosts are used. */
const validHosts = boundedMap<string, true>({ limit: 1000, name: 'valid_hosts' });

/** True if the Host header and the path form a valid URL. */
export function hasValidHost({ headers, url }: Request): boolean {
  const host = headers.get('host') ?? '';
  if (validHosts.has(host)) return true;
  if (!URL.canParse(url)) return false;
  return validHosts.put(host, true);
}

export function invalidHost(): GatewayError {
  return invalidPart('host', 'invalid_host', 'The Host header is not a valid host.');
}

function givenTwice(path: string, what: string): GatewayError {
  const message = `${what} appears more than once. Send it once.`;
  return invalidPart(excerptOf(path), 'given_twice', message);
}

const maxNameChars = 100;

function excerptOf(name: string): string {
  return name.slice(0, maxNameChars).replaceAll('\0', '\\0');
}
