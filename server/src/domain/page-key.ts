// The page key: when are two addresses the same page?
// Used for result ids and merging, and never shown to anyone.
import { isTracking, isWrittenOut, twinOf, unwrapRedirect } from './page-key-rules.ts';
import type { PageAddress } from './page-key-rules.ts';

/** Prefixed with a scheme, the key of a web page is an address with the same key again. */
export function pageKey(url: string): string {
  const trimmed = url.trim();
  let page = readPage(trimmed);
  for (let depth = 0; page && depth < max_unwraps; depth += 1) {
    const host = hostKey(page.host);
    const path = pathKey(page.path);
    const wrapped = unwrapRedirect(host, path, page);
    const inner = wrapped === undefined ? undefined : readPage(wrapped);
    if (!inner) return host + page.port + path + queryKey(page.query) + fragmentKey(page.fragment);
    page = inner;
  }
  return `raw:${trimmed}`;
}

/** A wrapped address may be wrapped again, but nobody means it who does so more often than this. */
const max_unwraps = 10;

/** The platform's parser decides; its text is then cut here, as asking for each part is slow. */
function readPage(text: string): PageAddress | undefined {
  if (isWrittenOut(text)) return cutWrittenOut(text);
  const href = URL.parse(text)?.href ?? '';
  const start = href.startsWith('https://') ? 8 : href.startsWith('http://') ? 7 : 0;
  if (start === 0) return undefined;
  const path_start = href.indexOf('/', start);
  const fragment_start = startOf('#', href, path_start, href.length);
  const query_start = startOf('?', href, path_start, fragment_start);
  const authority = href.slice(start, path_start);
  const host_and_port = authority.slice(authority.lastIndexOf('@') + 1);
  const port = /:\d+$/.exec(host_and_port)?.[0] ?? '';
  return {
    host: host_and_port.slice(0, host_and_port.length - port.length),
    // A key names no scheme, so the default port of either says nothing.
    port: port === ':80' || port === ':443' ? '' : port,
    path: href.slice(path_start, query_start),
    query: href.slice(query_start, fragment_start),
    fragment: href.slice(fragment_start),
  };
}

function cutWrittenOut(address: string): PageAddress {
  const host_start = address.indexOf('//') + 2;
  const path_start = address.indexOf('/', host_start);
  return {
    host: address.slice(host_start, path_start),
    port: '',
    path: address.slice(path_start),
    query: '',
    fragment: '',
  };
}

function startOf(sign: string, href: string, from: number, otherwise: number): number {
  const at = href.indexOf(sign, from);
  return at < 0 || at > otherwise ? otherwise : at;
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

function pathKey(pathname: string): string {
  let path = normaliseEscapes(pathname);
  // Each turn makes the path shorter.
  while (path.endsWith('/') || path.endsWith('/amp')) {
    path = path.slice(0, path.endsWith('/') ? -1 : -'/amp'.length);
  }
  return path === '' ? '/' : path;
}

function queryKey(search: string): string {
  const kept: string[] = [];
  // Cut by hand, because splitting takes longer than all the rest of a key.
  for (let from = 1; from < search.length;) {
    const next = search.indexOf('&', from);
    const end = next < 0 ? search.length : next;
    const pair = normaliseEscapes(search.slice(from, end));
    from = end + 1;
    const name = nameOf(pair);
    if (pair === '' || pair === '=' || isTracking(name, pair)) continue;
    kept.push(pair.length === name.length + 1 ? name : pair);
  }
  if (kept.length === 0) return '';
  if (kept.length === 1) return `?${kept[0]}`;
  return `?${kept.sort(byName).join('&')}`;
}

function nameOf(pair: string): string {
  const equals = pair.indexOf('=');
  return equals < 0 ? pair : pair.slice(0, equals);
}

/** Values keep their order, because of `a=1&a=2` nobody but the page knows what it means. */
function byName(one: string, other: string): number {
  const [left, right] = [nameOf(one), nameOf(other)];
  return left < right ? -1 : left > right ? 1 : 0;
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
