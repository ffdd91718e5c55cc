// The addresses to which a code may be sent: https, a program on the person's own machine, or the
// private scheme of an installed application.

/** Schemes that a browser or the operating system runs, opens or sends on its own. */
const refusedSchemes = new Set([
  ...[
    'javascript',
    'vbscript',
    'livescript',
    'mocha',
    'data',
    'blob',
    'about',
    'file',
    'filesystem',
  ],
  ...['view-source', 'wyciwyg', 'jar', 'resource', 'res', 'mk', 'mhtml', 'hcp', 'help', 'shell'],
  ...['ftp', 'sftp', 'ssh', 'telnet', 'smb', 'nfs', 'ldap', 'ldaps', 'gopher', 'dav', 'ws', 'wss'],
  ...['mailto', 'tel', 'sms', 'callto', 'facetime', 'sip', 'sips', 'xmpp', 'irc', 'news', 'nntp'],
  ...['intent', 'market', 'steam', 'magnet', 'feed', 'webcal', 'cid', 'mid', 'http+unix'],
]);
/** Families of such schemes, used by Windows, browsers, app stores and Android. */
const refusedFamilies =
  /^(?:ms-|search|itms|x-apple|android|moz-|chrome|edge|opera|brave|safari|web\+)|-extension$/;

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/;

export function isRedirectUri(text: string): boolean {
  const url = /^[\x21-\x7e]+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || text.includes('#') || text.includes('\\')) return false;
  if (url.username !== '' || url.password !== '') return false;
  const scheme = url.protocol.slice(0, -1);
  // Must be spelled in full: `https:evil.example` would be read as `https://evil.example`.
  if (scheme === 'https') return /^https:\/\/[^/]/i.test(text);
  if (scheme === 'http') return loopback.test(text);
  if (refusedSchemes.has(scheme) || refusedFamilies.test(scheme)) return false;
  return text.startsWith(`${scheme}:/`);
}

/**
 * The address must match exactly, except that a program on the person's own machine may choose its
 * port at each start.
 */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  if (!isRedirectUri(asked) || !loopback.test(asked)) return false;
  return registered.some((one) => withoutPort(one) === withoutPort(asked));
}

function withoutPort(text: string): string {
  const url = new URL(text);
  url.port = '';
  return url.href;
}
