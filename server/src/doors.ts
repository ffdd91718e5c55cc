// The doors: callers use one, and an operator may move the admin API and the metrics to others.
import { lastAnswer, makeApp } from './http/app.ts';
import type { AppDevices, Route } from './http/app.ts';
import { allowOrigins } from './http/cross-origin.ts';
import type { Dispatch } from './http/dispatch.ts';
import { clientAddress } from './platform/addresses.ts';
import { listen } from './platform/listen.ts';
import type { Door } from './platform/listen.ts';
import type { Settings } from './platform/settings.ts';

export interface Doors {
  /** Where callers come in. */
  url: string;
  /** Where the dashboard is. */
  dashboard_url: string;
  /** Lines to print at start, one for each further door. */
  others: string[];
  /** Answers a request as the callers' door does, without a network between. */
  dispatch: Dispatch;
  drain: () => Promise<void>;
}

export const metrics_path = '/metrics';

export function openDoors(
  settings: Settings,
  devices: AppDevices,
  routes: readonly Route[],
): Doors {
  const { port, admin_port = port, metrics_port = port } = settings;
  const clientOf = clientAt(settings);
  const open = (at: number): Door & { dispatch: Dispatch } => {
    const app = makeApp(devices, routes.flatMap(routesAt(at, { port, admin_port, metrics_port })));
    const origins = at === port ? settings.cors_origins : [];
    const serve = (request: Request, address: () => string) =>
      allowOrigins(origins, (asked) => app(asked, { address: clientOf(asked, address) }))(request);
    const door = listen(settings.host, at, serve, (error) => lastAnswer(devices, error));
    const dispatch: Dispatch = (request, request_id) => app(request, { inside: { request_id } });
    return { ...door, dispatch };
  };
  const main = open(port);
  const further = [...new Set([admin_port, metrics_port])]
    .filter((at) => at !== port)
    .map((at) => ({ at, door: open(at) }));
  return {
    url: main.url,
    dispatch: main.dispatch,
    dashboard_url: further.find(({ at }) => at === admin_port)?.door.url ?? main.url,
    others: further.map(({ at, door }) => {
      const what = [
        ...(at === admin_port ? ['admin'] : []),
        ...(at === metrics_port ? ['metrics'] : []),
      ];
      return `${what.join(', ').padEnd(10)} ${door.url}`;
    }),
    drain: async () => {
      await Promise.all([main, ...further.map(({ door }) => door)].map((door) => door.drain()));
    },
  };
}

function clientAt(settings: Settings) {
  return ({ headers }: Request, peer: () => string) =>
    () =>
      clientAddress(peer(), headers.get('x-forwarded-for'), settings.trusted_proxies);
}

interface Ports {
  port: number;
  admin_port: number;
  metrics_port: number;
}

/** The dashboard's playground calls what callers call, so a door of its own has that as well. */
function routesAt(at: number, { port, admin_port, metrics_port }: Ports) {
  return (route: Route): Route[] => {
    if (route.path === metrics_path) return at === metrics_port ? [route] : [];
    if (route.operator || (route.public && route.dashboard))
      return at === admin_port ? [route] : [];
    if (at === port) return [route];
    if (at !== admin_port) return [];
    if (!route.public) return [{ ...route, signed_in_only: true }];
    return route.path === openapi_path ? [route] : [];
  };
}

const openapi_path = '/openapi.json';
