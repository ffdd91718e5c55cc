// The listeners: callers use one port, and the operator can move the admin API and the metrics to
// separate ports.
import { type HttpContext, makeApp, type Route, uncaughtErrorResponse } from '../http/index.ts';
import { clientAddress } from '../platform/addresses.ts';
import { type Listener, listen } from '../platform/listen.ts';
import { stopLimitMs } from '../platform/time-limits.ts';

export function openListeners(context: HttpContext, routes: readonly Route[], reusePort: boolean) {
  const { settings, bytes } = context;
  const { port, admin_port = port, metrics_port = port } = settings;
  const ports = { port, admin_port, metrics_port };
  const maxRequestBytes = maxOtherBytes + settings.max_upload_mb * 1024 * 1024;
  const drainLimitMs = stopLimitMs(settings.provider_queue_ms);
  const open = (at: number): Listener => {
    const origins = at === port ? settings.cors_origins : [];
    const app = makeApp(context, routes.flatMap(routesAt(at, ports)), origins);
    const serve: Parameters<typeof listen>[2] = (request, { address, keepOpen }) =>
      app(request, {
        address: () =>
          clientAddress(
            address(),
            request.headers.get('x-forwarded-for'),
            settings.trusted_proxies,
          ),
        keepOpen,
      });
    const onError = (error: unknown) => uncaughtErrorResponse(context, error);
    return listen(settings.host, at, serve, onError, {
      ...{ reusePort, maxRequestBytes, drainLimitMs, bytes },
      // Leaves room for new answers, however many clients do not read theirs.
      maxUnsentChars: (settings.max_bytes_in_progress_mb / 2) * 1024 * 1024,
    });
  };
  const main = open(port);
  const additional = [...new Set([admin_port, metrics_port])]
    .filter((at) => at !== port)
    .map((at) => ({ at, listener: open(at) }));
  return {
    /** The address for callers. */
    url: main.url,
    dashboardUrl: additional.find(({ at }) => at === admin_port)?.listener.url ?? main.url,
    /** One line for the start-up output per additional listener. */
    others: additional.map(({ at, listener }) => {
      const names = [
        ...(at === admin_port ? ['admin'] : []),
        ...(at === metrics_port ? ['metrics'] : []),
      ];
      return `${names.join(', ').padEnd(10)} ${listener.url}`;
    }),
    drain: async () => {
      const all = [main, ...additional.map(({ listener }) => listener)];
      await Promise.all(all.map((listener) => listener.drain()));
    },
  };
}

/** For everything but the file of an upload. Callbacks are the largest of the other bodies. */
const maxOtherBytes = 64 * 1024 * 1024;

const openapiPath = '/openapi.json';

/** The admin port also serves the API to signed-in people, because the playground calls it. */
function routesAt(
  at: number,
  { port, admin_port, metrics_port }: Record<'port' | 'admin_port' | 'metrics_port', number>,
) {
  return (route: Route): Route[] => {
    const { method, path, role } = route;
    if (role === 'admin' && route.onOwnPort) {
      if (at !== metrics_port) return [];
      return [at === port ? route : { method, path, role: 'public', handle: route.onOwnPort }];
    }
    if (role === 'admin' || role === 'visitor') return at === admin_port ? [route] : [];
    if (at === port) return [route];
    if (at !== admin_port) return [];
    if (role === 'caller') return [{ ...route, signedInOnly: true }];
    return path === openapiPath ? [route] : [];
  };
}
