// The page key: when are two addresses the same page?
// Used for result ids and merging, and never shown to anyone.
import { isTracking, twinOf, unwrapRedirect } from './page-key-rules.ts';

/** Prefixed with a scheme, the key of a web page is an address with the same key again. */
export function pageKey(url: string): string {
  const trimmed = url.trim();
  let text = trimmed;
  for (let depth = 0; depth < max_unwraps; depth += 1) {
    const page = readPage(text);
    if (!page) break;
    const host = hostKey(page.hostname);
    const path = pathKey(page.pathname);
    const inner = unwrapRedirect(host, path, page);
    if (inner === undefined || !readPage(inner)) {
      return host + portKey(page.port) + path + queryKey(page.search) + fragmentKey(page.hash);
    }
    text = inner;
  }
  return `raw:${trimmed}`;
}

/** A wrapped address may be wrapped again, but nobody means it who does so more often than this. */
const max_unwraps = 10;

function readPage(text: string): URL | undefined {
  const parsed = URL.parse(text);
  return parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:')
    ? parsed
    : undefined;
}

function hostKey(hostname: string): string {
  let host = hostname.endsWith('.') ? hostname.replace(/(?<=[^.])\.+$/, '') : hostname;
  // Each turn drops a label, so there are no more turns than labels.
  while (host.startsWith('www')) {
    const bare = host.replace(/^www\d{0,2}\./, '');
    if (bare === host || !bare.includes('.')) break;
    host = bare;
  }
  return twinOf(host);
}

/** A key names no scheme, so the default port of either says nothing. */
function portKey(port: string): string {
  return port === '' || port === '80' || port === '443' ? '' : `:${port}`;
}

function pathKey(pathname: string): string {
  let path = normaliseEscapes(pathname);
  // Each turn makes the path shorter.
  while (path.endsWith('/') || path.endsWith('/amp')) {
    path = path.slice(0, path.endsWith('/') ? -1 : -'/amp'.length);
  }
  return path === '' ? '/' : path;
}

function queryKey(search: string): string {
  if (search.length < 2) return '';
  const kept: [string, string][] = [];
  for (const pair of search.slice(1).split('&')) {
    const [name, value] = splitPair(pair);
    if ((name !== '' || value !== '') && !isTracking(name, value)) kept.push([name, value]);
  }
  if (kept.length === 0) return '';
  if (kept.length > 1) kept.sort(byName);
  return `?${kept.map(([name, value]) => (value === '' ? name : `${name}=${value}`)).join('&')}`;
}

function byName([one]: [string, string], [other]: [string, string]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function splitPair(pair: string): [string, string] {
  const normal = normaliseEscapes(pair);
  const equals = normal.indexOf('=');
  return equals < 0 ? [normal, ''] : [normal.slice(0, equals), normal.slice(equals + 1)];
}

/** Fragments are positions in a page, except where a single-page app keeps its routes there. */
function fragmentKey(hash: string): string {
  return hash.startsWith('#!') || hash.startsWith('#/') ? hash : '';
}

function normaliseEscapes(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9a-fA-F]{2})/g, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : escape.toUpperCase();
  });
}
