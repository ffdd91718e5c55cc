// The lists behind the page key: wrappers to open, mobile twins to fold, tracking parameters to drop.

/** Hosts whose mobile or alternative twin serves the same pages under the same paths. */
export const mobile_twins: readonly (readonly [RegExp, string])[] = [
  [/^([a-z-]+)\.m\.wikipedia\.org$/, '$1.wikipedia.org'],
  [/^m\.youtube\.com$/, 'youtube.com'],
  [/^mobile\.twitter\.com$/, 'twitter.com'],
  [/^m\.facebook\.com$/, 'facebook.com'],
  [/^(?:old|new)\.reddit\.com$/, 'reddit.com'],
];

/** The address inside a redirect or AMP wrapper, or undefined when it is none. */
export function unwrapRedirect(url: URL): string | undefined {
  const host = url.hostname.replace(/^www\./, '');
  if (host === 'bing.com' && url.pathname === '/ck/a') return bingTarget(url.searchParams.get('u'));
  if (google_host.test(host)) {
    if (url.pathname === '/url')
      return url.searchParams.get('q') ?? url.searchParams.get('url') ?? undefined;
    if (url.pathname.startsWith('/amp/s/')) return `https://${rest(url, '/amp/s/')}`;
  }
  if (host.endsWith('.cdn.ampproject.org')) {
    if (url.pathname.startsWith('/c/s/')) return `https://${rest(url, '/c/s/')}`;
    if (url.pathname.startsWith('/c/')) return `http://${rest(url, '/c/')}`;
  }
  return undefined;
}

/** Compared by whole name. `ref`, `source`, `id`, `s`, `t`, `p` and `v` are never here: they select pages. */
export function isTracking(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (tracking_names.has(lower)) return true;
  if (lower === 'outputtype') return value.toLowerCase() === 'amp';
  return tracking_prefixes.some((prefix) => lower.startsWith(prefix));
}

const google_host = /^google\.[a-z]{2,3}(?:\.[a-z]{2})?$/;

const tracking_prefixes = ['utm_', 'mtm_', 'hsa_', 'ga_'];

const tracking_names = new Set(
  `utm itm_campaign itm_medium itm_source gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid
   fbclid msclkid yclid twclid ttclid li_fat_id igshid igsh mc_cid mc_eid mkt_tok _hsenc _hsmi __hsfp
   __hssc __hstc hsctatracking vero_conv vero_id _ga _gl _openstat srsltid wickedid oly_anon_id
   oly_enc_id rb_clickid s_cid cmpid ref_src ref_url spm __twitter_impression amp`.split(/\s+/),
);

function rest(url: URL, prefix: string): string {
  return url.pathname.slice(prefix.length) + url.search + url.hash;
}

/** Bing writes the target as `a1` and URL-safe base64. */
function bingTarget(packed: string | null): string | undefined {
  if (!packed?.startsWith('a1')) return undefined;
  try {
    return atob(packed.slice(2).replace(/-/g, '+').replace(/_/g, '/'));
  } catch {
    return undefined;
  }
}
