// The page key: when are two addresses the same page? Used for result ids, merging and nothing shown to anyone.
import { isTracking, mobile_twins, unwrapRedirect } from './page-key-rules.ts';

export function pageKey(url: string): string {
  const trimmed = url.trim();
  let parsed = readPage(trimmed);
  if (!parsed) return `raw:${trimmed}`;
  for (let depth = 0; depth < max_unwraps; depth += 1) {
    const inner = unwrapRedirect(parsed);
    const next = inner === undefined ? undefined : readPage(inner);
    if (!next) break;
    parsed = next;
  }
  const port = parsed.port === '' ? '' : `:${parsed.port}`;
  return (
    hostKey(parsed.hostname) +
    port +
    pathKey(parsed.pathname) +
    queryKey(parsed.search) +
    fragmentKey(parsed.hash)
  );
}

/** A wrapped address may be wrapped again, but not without end. */
const max_unwraps = 3;

function readPage(text: string): URL | undefined {
  const parsed = URL.parse(text);
  return parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:')
    ? parsed
    : undefined;
}

function hostKey(hostname: string): string {
  let host = hostname.toLowerCase().replace(/\.$/, '');
  const bare = host.replace(/^www\d{0,2}\./, '');
  if (bare !== host && bare.includes('.')) host = bare;
  for (const [twin, canonical] of mobile_twins) {
    if (twin.test(host)) return host.replace(twin, canonical);
  }
  return host;
}

function pathKey(pathname: string): string {
  const path = normaliseEscapes(pathname)
    .replace(/\/+$/, '')
    .replace(/\/amp$/, '')
    .replace(/\/+$/, '');
  return path === '' ? '/' : path;
}

function queryKey(search: string): string {
  if (search.length < 2) return '';
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    .map(splitPair)
    .filter(([name, value]) => !isTracking(name, value));
  if (kept.length === 0) return '';
  kept.sort((one, other) => (one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : 0));
  return `?${kept.map(([name, value]) => (value === '' ? name : `${name}=${value}`)).join('&')}`;
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
