// The security headers of HTML pages.

export type PageHeaders = Readonly<Record<string, string>>;

/** A page may load and run only what `policy` allows. */
export function makePageHeaders(policy: Readonly<Record<string, string>>): PageHeaders {
  const all = { 'default-src': none, 'base-uri': none, 'frame-ancestors': none, ...policy };
  return {
    'content-security-policy': Object.entries(all)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    'referrer-policy': 'no-referrer',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
}

const none = "'none'";
