// Finds the route of a request in a table that is built once: paths without parameters in a map,
// the others by their segments. The path, the query and the headers are checked. A parameter or
// header that is sent twice is refused, because two readers could each use a different value.
import type { GatewayError } from '@trivium/contract';
import { invalidPart } from '@trivium/contract';
import { singleHeaders } from '@trivium/contract/headers';
import { boundedMap } from '../platform/bounded-map.ts';

import type { Connection, Incoming, Query } from './route.ts';

type Params = Readonly<Record<string, string>>;

export interface RoutesAtPath<T> {
  path: string;
  segments: readonly string[];
  routes: Map<string, T>;
}

interface Match<T> {
  at: RoutesAtPath<T>;
  /** Undefined if the path does not support the method. */
  route: T | undefined;
  params: Params;
}

const noParams: Params = Object.freeze({});

export function makeRouter<T extends { method: string; path: string }>(
  routes: readonly T[],
): (method: string, path: string) => Match<T> | undefined {
  const fixed = new Map<string, RoutesAtPath<T>>();
  const patterns = new Map<string, RoutesAtPath<T>>();
  for (const route of routes) {
    const { method, path } = route;
    const table = path.includes('/:') ? patterns : fixed;
    const at = table.get(path) ?? { path, segments: path.split('/'), routes: new Map() };
    table.set(path, at);
    at.routes.set(method, route);
  }
  return (method, path) => {
    const exact = fixed.get(path);
    const route = exact?.routes.get(method);
    if (exact && route) return { at: exact, route, params: noParams };
    let otherMethod = exact && { at: exact, route: undefined, params: noParams };
    const segments = path.split('/');
    for (const at of patterns.values()) {
      const params = readParams(at.segments, segments);
      if (!params) continue;
      const found = { at, route: at.routes.get(method), params };
      if (found.route) return found;
      otherMethod ??= { ...found, route: undefined };
    }
    return otherMethod;
  };
}

function readParams(pattern: readonly string[], segments: readonly string[]): Params | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, name] of pattern.entries()) {
    const given = segments[at] ?? '';
    if (name.startsWith(':') && given !== '') {
      params[name.slice(1)] = decode(given, decodeURIComponent);
    } else if (name !== given) return undefined;
  }
  return params;
}

/** The decoded path of an address, without a trailing slash. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + '://'.length);
  const end = url.slice(start).search(/[?#]/);
  const path = end === -1 ? url.slice(start) : url.slice(start, start + end);
  // An encoded percent sign is decoded only once, with its segment.
  const decoded = decode(path.replaceAll('%25', '%2525'), decodeURI);
  return decoded.length > 1 && decoded.endsWith('/') ? decoded.slice(0, -1) : decoded;
}

/** Invalid percent-encoding is left as it is. */
function decode(text: string, decoder: (text: string) => string): string {
  if (!text.includes('%')) return text;
  try {
    return decoder(text);
  } catch {
    return text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (part) => {
      try {
        return decoder(part);
      } catch {
        return part;
      }
    });
  }
}

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

function givenTwice(path: string, what: string): GatewayError {
  const message = `${what} appears more than once. Send it once.`;
  return invalidPart(excerptOf(path), 'given_twice', message);
}

const maxNameChars = 100;

function excerptOf(name: string): string {
  return name.slice(0, maxNameChars).replaceAll('\0', '\\0');
}
