// The doors: callers use one, and an operator may move the admin API and the metrics to others.
import { makeApp } from './http/app.ts';
import type { AppDevices, Route } from './http/app.ts';
import type { Dispatch } from './http/dispatch.ts';
import { listen } from './platform/listen.ts';
import type { Door } from './platform/listen.ts';
import type { Settings } from './platform/settings.ts';

export interface Doors {
  /** Where callers come in. */
  url: string;
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
  const portOf = (route: Route) => {
    if (route.path === metrics_path) return metrics_port;
    return route.operator ? admin_port : port;
  };
  const open = (at: number): Door & { dispatch: Dispatch } => {
    const app = makeApp(
      devices,
      routes.filter((route) => portOf(route) === at),
    );
    const dispatch: Dispatch = (request) => app.fetch(request);
    return { ...listen(settings.host, at, dispatch), dispatch };
  };
  const main = open(port);
  const further = [...new Set([admin_port, metrics_port])]
    .filter((at) => at !== port)
    .map((at) => ({ at, door: open(at) }));
  return {
    url: main.url,
    dispatch: main.dispatch,
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
