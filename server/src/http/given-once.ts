// What a request says beside its body, read once: a parameter or a header that stands there twice
// has no one meaning, so it is refused before any check or handler could pick one of the two.
import { GatewayError } from '@trivium/contract';

export type Query = Readonly<Record<string, string>>;

const noQuery: Query = Object.freeze({});

/** The parameters of an address by their decoded names, each given once. */
export function readQuery(url: string): Query {
  const mark = url.indexOf('?');
  if (mark === -1) return noQuery;
  const seen = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    if (seen.has(name)) throw givenTwice(name, `The parameter ${shown(name)}`);
    checkText(name, name);
    checkText(name, value);
    seen.set(name, value);
  }
  return Object.fromEntries(seen);
}

/** No identifier holds a NUL, and PostgreSQL cannot even compare text with one. */
export function checkText(name: string, value: string): void {
  if (!value.includes('\0')) return;
  throw refused(name, 'invalid_text', `${shown(name)} must not contain a NUL character.`);
}

/** Bun joins what was sent twice with a comma and a blank; none of these may hold a comma. */
const singleHeaders = [
  'authorization',
  'x-api-key',
  'x-max-cost-usd',
  'x-trivium-account',
  'x-trivium-provider',
  'x-trivium-strict',
  'x-trivium-explain',
  'host',
  'origin',
  'content-length',
  'content-type',
  'sec-fetch-site',
] as const;

export function checkHeaders(headers: Headers): void {
  for (const name of singleHeaders) {
    if (headers.get(name)?.includes(',')) throw givenTwice(name, `The header ${name}`);
  }
  // A key may hold commas, but no blanks.
  if (headers.get('idempotency-key')?.includes(', ')) {
    throw givenTwice('idempotency-key', 'The header idempotency-key');
  }
}

const mostHosts = 1000;
const soundHosts = new Set<string>();

/** True when the Host header and the address make a whole URL. */
export function hasSoundHost({ headers, url }: Request): boolean {
  const host = headers.get('host') ?? '';
  if (soundHosts.has(host)) return true;
  if (!URL.canParse(url)) return false;
  if (soundHosts.size >= mostHosts) soundHosts.clear();
  soundHosts.add(host);
  return true;
}

export function badHost(): GatewayError {
  return refused('host', 'invalid_host', 'The Host header names no host.');
}

function givenTwice(path: string, what: string): GatewayError {
  return refused(path, 'given_twice', `${what} was given more than once. Send it once.`);
}

function refused(path: string, code: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, {
    issues: [{ path: shown(path), code, message }],
  });
}

const longestName = 100;

function shown(name: string): string {
  return name.slice(0, longestName).replaceAll('\0', '\\0');
}
