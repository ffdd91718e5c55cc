// The page key: when are two addresses the same page?
// Used for result ids, merging and evaluations, and never shown to callers.

/** The key of a web page, prefixed with a scheme, is an address that has the same key. */
export function pageKey(url: string): string {
  const trimmed = url.trim();
  if (isPlain.test(trimmed)) {
    const start = trimmed.indexOf('//') + 2;
    return trimmed.slice(trimmed.startsWith('www.', start) ? start + 4 : start);
  }
  let page = readPage(trimmed);
  for (let depth = 0; page && depth < maxUnwraps; depth += 1) {
    const host = hostKey(page.host);
    const path = pathKey(page.path);
    const inner = pagesIn(unwrapRedirect(host, path, page))[0];
    if (!inner) return host + page.port + path + queryKey(page.query) + fragmentKey(page.fragment);
    page = inner;
  }
  return `raw:${trimmed}`;
}

/** The hosts of an address, spelled as in keys. */
interface PageHosts {
  /** As written, without a trailing dot. */
  written: string | undefined;
  /** The written host, its main name, and the hosts that it redirects to. */
  all: readonly string[];
  /** Where it may redirect to, first the host of the page key; undefined for endless redirects. */
  targets: readonly string[] | undefined;
}

/** Every host in an address, including those inside redirects. */
export function hostsOf(url: string): PageHosts {
  const trimmed = url.trim();
  const page = readPage(trimmed);
  // An address of another scheme may have a host too.
  if (!page) return alone(parseUrl(trimmed)?.hostname.toLowerCase() ?? '');
  const written = withoutDots(page.host);
  const all = new Set([written]);
  const targets = new Set<string>();
  let level = [page];
  for (let depth = 0; depth < maxUnwraps && level.length > 0; depth += 1) {
    level = level.flatMap((one) => {
      const host = hostKey(one.host);
      all.add(withoutDots(one.host)).add(host);
      const inner = pagesIn(unwrapRedirect(host, pathKey(one.path), one));
      if (inner.length === 0) targets.add(host);
      return inner;
    });
  }
  return { written, all: [...all], targets: level.length > 0 ? undefined : [...targets] };
}

function alone(host: string): PageHosts {
  if (host === '') return { written: undefined, all: [], targets: [] };
  const written = withoutDots(host);
  return { written, all: [written], targets: [written] };
}

/** The command line also runs on Node 20, which has no `URL.parse`. */
const parseUrl: (text: string, base?: string) => URL | null =
  'parse' in URL
    ? (text, base) => URL.parse(text, base)
    : (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null);

const noPages: PageAddress[] = [];

function pagesIn(addresses: readonly string[] | undefined): PageAddress[] {
  return addresses?.flatMap((address) => readPage(address) ?? []) ?? noPages;
}

function withoutDots(host: string): string {
  return host.endsWith('.') ? host.replace(/(?<=[^.])\.+$/, '') : host;
}

/** A redirect may contain another one, but not more than this in practice. */
const maxUnwraps = 10;

/**
 * The platform's parser decides. Its text is split here, because reading each of its parts is slow.
 */
function readPage(text: string): PageAddress | undefined {
  if (isWrittenOut(text)) return cutWrittenOut(text);
  const href = parseUrl(text)?.href ?? '';
  const start = href.startsWith('https://') ? 8 : href.startsWith('http://') ? 7 : 0;
  if (start === 0) return undefined;
  const pathStart = href.indexOf('/', start);
  const fragmentStart = startOf('#', href, pathStart, href.length);
  const queryStart = startOf('?', href, pathStart, fragmentStart);
  const authority = href.slice(start, pathStart);
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1);
  const port = /:\d+$/.exec(hostAndPort)?.[0] ?? '';
  return {
    host: hostAndPort.slice(0, hostAndPort.length - port.length),
    // A key has no scheme, so the default port of either scheme is dropped.
    port: port === ':80' || port === ':443' ? '' : port,
    path: href.slice(pathStart, queryStart),
    query: href.slice(queryStart, fragmentStart),
    fragment: href.slice(fragmentStart),
  };
}

function cutWrittenOut(address: string): PageAddress {
  const hostStart = address.indexOf('//') + 2;
  const pathStart = address.indexOf('/', hostStart);
  return {
    host: address.slice(hostStart, pathStart),
    port: '',
    path: address.slice(pathStart),
    query: '',
    fragment: '',
  };
}

function startOf(sign: string, href: string, from: number, otherwise: number): number {
  const at = href.indexOf(sign, from);
  return at < 0 || at > otherwise ? otherwise : at;
}

function hostKey(hostname: string): string {
  let host = withoutDots(hostname);
  // Each iteration drops a label, so there are at most as many iterations as labels.
  while (host.startsWith('www')) {
    const bare = host.replace(/^www\d{0,2}\./, '');
    if (bare === host || !bare.includes('.')) break;
    host = bare;
  }
  return twinOf(host);
}

function pathKey(pathname: string): string {
  let path = normaliseEscapes(pathname);
  // Each iteration shortens the path.
  while (path.endsWith('/') || path.endsWith('/amp')) {
    path = path.slice(0, path.endsWith('/') ? -1 : -'/amp'.length);
  }
  return path === '' ? '/' : path;
}

function queryKey(search: string): string {
  const kept: string[] = [];
  // Parsed by hand, because splitting takes longer than everything else in a key.
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

/** Values keep their order, because only the site knows what `a=1&a=2` means. */
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

/** An address in parts; query and fragment with their leading characters, or empty. */
interface PageAddress {
  host: string;
  /** With its colon; empty for a default one. */
  port: string;
  path: string;
  query: string;
  fragment: string;
}

/**
 * Whether a URL is only a host and a path that the platform's parser would leave unchanged. Most
 * are, and parsing them took half the time of a key.
 */
export function isWrittenOut(address: string): boolean {
  return writtenOut.test(address);
}

/** No segment begins with a dot, and no label is in Punycode, which may turn out to be wrong. */
const writtenOut =
  /^https?:\/\/(?:(?!xn--)[a-z\d-]+\.)+[a-z]{2,}\/(?:[\w~-][\w.~-]*\/)*(?:[\w~-][\w.~-]*)?$/;

/** Written out, and without anything that is treated in a special way below, as most addresses are. */
const isPlain =
  /^https?:\/\/(?:www\.)?(?!www|m\.|mobile\.|old\.|new\.|[^/]*(?:google|ampproject|wikipedia)\.)(?:(?!xn--)[a-z\d-]+\.)+[a-z]{2,}\/(?:(?:[\w~-][\w.~-]*\/)*(?!amp$)[\w~-][\w.~-]*)?$/;

/** The main host for a mobile or alternative host that serves the same pages. */
function twinOf(host: string): string {
  return host.endsWith('.wikipedia.org')
    ? host.replace(/^([a-z-]+)\.m(?=\.wikipedia\.org$)/, '$1')
    : (twins.get(host) ?? host);
}

const twins: ReadonlyMap<string, string> = new Map([
  ['m.youtube.com', 'youtube.com'],
  ['mobile.twitter.com', 'twitter.com'],
  ['m.facebook.com', 'facebook.com'],
  ['old.reddit.com', 'reddit.com'],
  ['new.reddit.com', 'reddit.com'],
]);

/**
 * The addresses inside a redirect or AMP wrapper, or undefined; host and path as in a key. A
 * redirect that contains several may redirect to any of them.
 */
function unwrapRedirect(
  host: string,
  path: string,
  { query, fragment }: PageAddress,
): readonly string[] | undefined {
  if (host === 'bing.com' || host.endsWith('.bing.com')) {
    return path === '/ck/a' ? bingTargets(query) : undefined;
  }
  const rest = (prefix: string) => path.slice(prefix.length) + query + fragment;
  if (host.endsWith('.cdn.ampproject.org')) {
    if (path.startsWith('/c/s/')) return [`https://${rest('/c/s/')}`];
    return path.startsWith('/c/') ? [`http://${rest('/c/')}`] : undefined;
  }
  if (!host.includes('google.') || !googleHost.test(host)) return undefined;
  if (path.startsWith('/amp/s/')) return [`https://${rest('/amp/s/')}`];
  if (ampPath.test(path)) return [`http://${rest('/amp/')}`];
  if (path !== '/url') return undefined;
  return [...valuesOf(query, 'q'), ...valuesOf(query, 'url')].flatMap((to) => targetOf(host, to));
}

/** Redirectors may ignore the case of a name. */
function valuesOf(query: string, wanted: string): string[] {
  const given = [...new URLSearchParams(query)];
  return given.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}

/** A target that begins with a slash is on the redirector, or with two slashes on any host. */
function targetOf(host: string, to: string): string[] {
  if (!/^[\0-\u0020]*[/\\]/.test(to)) return [to];
  const found = parseUrl(to, `https://${host}`);
  return found ? [found.href] : [];
}

/**
 * Compares whole names. `ref`, `source`, `id`, `s`, `t`, `p` and `v` are not here: they select
 * pages.
 */
function isTracking(name: string, pair: string): boolean {
  const lower = name.toLowerCase();
  if (trackingNames.has(lower)) return true;
  if (lower === 'outputtype') return pair.toLowerCase() === 'outputtype=amp';
  return trackingPrefix.test(lower);
}

const googleHost = /^(?:[a-z\d-]+\.)*google\.[a-z]{2,3}(?:\.[a-z]{2})?$/;
const ampPath = /^\/amp\/[^/]+\.[^/]/;

const trackingPrefix = /^(?:utm|mtm|hsa|ga)_/;

const trackingNames = new Set(
  `utm itm_campaign itm_medium itm_source gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid
   fbclid msclkid yclid twclid ttclid li_fat_id igshid igsh mc_cid mc_eid mkt_tok _hsenc _hsmi
   __hsfp __hssc __hstc hsctatracking vero_conv vero_id _ga _gl _openstat srsltid wickedid
   oly_anon_id oly_enc_id rb_clickid s_cid cmpid ref_src ref_url spm
   __twitter_impression amp`.split(/\s+/),
);

/** Bing writes the target as `a1` and URL-safe base64. */
function bingTargets(query: string): string[] {
  const packed = valuesOf(query, 'u').filter((one) => one.startsWith('a1'));
  return packed.flatMap((one) => {
    try {
      const bytes = atob(one.slice(2).replace(/-/g, '+').replace(/_/g, '/'));
      const to = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
      return targetOf('bing.com', to);
    } catch {
      return [];
    }
  });
}
