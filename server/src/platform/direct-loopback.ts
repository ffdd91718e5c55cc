// Calls to this machine never go through a proxy: the sandbox is there, and a proxy elsewhere cannot
// reach it.

/** `HTTPS_PROXY` and `HTTP_PROXY` are read by the runtime, and so is `NO_PROXY`, at each call. */
export function keepLoopbackDirect(env: Record<string, string | undefined>): void {
  const given = env['NO_PROXY'] ?? env['no_proxy'];
  const direct = [...(given ? [given] : []), '127.0.0.1', 'localhost', '[::1]'].join(',');
  env['NO_PROXY'] = direct;
  env['no_proxy'] = direct;
}
