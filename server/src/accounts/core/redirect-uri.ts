// The addresses to which a code may be sent: https, a program on the person's own machine, or the
// private scheme of an installed application.

/** Schemes that a browser runs, opens or sends by itself. */
const refusedSchemes = [
  ...['javascript', 'vbscript', 'data', 'blob', 'about', 'file', 'filesystem', 'view-source'],
  ...['ftp', 'ws', 'wss', 'mailto', 'tel', 'sms', 'intent', 'chrome', 'http+unix'],
];

export function isRedirectUri(text: string): boolean {
  const url = /^[\x21-\x7e]+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || text.includes('#') || text.includes('\\')) return false;
  if (url.username !== '' || url.password !== '') return false;
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'https') return true;
  if (scheme === 'http') return isLoopback(url);
  return !refusedSchemes.includes(scheme) && text.startsWith(`${scheme}:/`);
}

/** Exactly one of them; a program on the person's own machine may choose its port at each start. */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  if (!isRedirectUri(asked)) return false;
  const url = new URL(asked);
  return isLoopback(url) && registered.some((one) => withoutPort(one) === withoutPort(asked));
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function withoutPort(text: string): string {
  const url = new URL(text);
  url.port = '';
  return url.href;
}
