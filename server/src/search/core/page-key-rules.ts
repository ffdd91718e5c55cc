// The lists behind the page key: redirects to unwrap, mobile hosts to merge, tracking parameters to
// drop.

/** An address in parts; query and fragment with their signs, or empty. */
export interface PageAddress {
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

/** The main host for a mobile or alternative host that serves the same pages. */
export function twinOf(host: string): string {
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
 * redirect that names several may lead to any of them.
 */
export function unwrapRedirect(
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
  const given = new URLSearchParams(query);
  return [...given.getAll('q'), ...given.getAll('url')].flatMap((to) => targetOf(host, to));
}

/** A target that begins with a slash is on the redirector, or with two slashes on any host. */
function targetOf(host: string, to: string): string[] {
  if (!/^[\0-\u0020]*[/\\]/.test(to)) return [to];
  const found = URL.parse(to, `https://${host}`);
  return found ? [found.href] : [];
}

/** By whole name. `ref`, `source`, `id`, `s`, `t`, `p` and `v` are not here: they select pages. */
export function isTracking(name: string, pair: string): boolean {
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
  const packed = new URLSearchParams(query).getAll('u').filter((one) => one.startsWith('a1'));
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
