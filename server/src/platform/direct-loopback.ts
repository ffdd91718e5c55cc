// Calls to this machine never use a proxy: the sandbox runs here, and a proxy elsewhere cannot
// reach it.

/** The runtime reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` at each call. */
export function keepLoopbackDirect(env: Record<string, string | undefined>): void {
  const given = env['NO_PROXY'] ?? env['no_proxy'];
  const direct = [...(given ? [given] : []), '127.0.0.1', 'localhost', '[::1]'].join(',');
  env['NO_PROXY'] = direct;
  env['no_proxy'] = direct;
}
