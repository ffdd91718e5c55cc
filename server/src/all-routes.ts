// Every route of the gateway, in one list: what is not here cannot be reached.
import type { Route } from './http/app.ts';
import type { Dispatch } from './http/dispatch.ts';
import { accountRoutes } from './http/routes/account.ts';
import { adminRoutes } from './http/routes/admin.ts';
import { callbackRoutes } from './http/routes/callbacks.ts';
import { dashboardRoutes } from './http/routes/dashboard.ts';
import { extractRoutes } from './http/routes/extract.ts';
import { metaRoutes } from './http/routes/meta.ts';
import type { Readiness } from './http/routes/meta.ts';
import { overviewRoutes } from './http/routes/overview.ts';
import { providerRoutes } from './http/routes/providers.ts';
import { searchRoutes } from './http/routes/search.ts';
import { signInRoutes } from './http/routes/sign-in.ts';
import { surfaceRoutes } from './http/routes/surfaces.ts';
import { transcriptionRoutes } from './http/routes/transcriptions.ts';
import { readDocs } from './platform/docs-folder.ts';
import type { Authenticator } from './services/authenticate.ts';
import type { House } from './services/house.ts';
import { dashboard_files } from './dashboard-files.ts';
import type { Entrance } from './entrance.ts';
import type { JobDesk } from './services/job-desk.ts';

export interface Rooms {
  house: House;
  authenticator: Authenticator;
  jobs: JobDesk;
  /** Loopback addresses whose recordings may be transcribed: the built-in sandbox's own. */
  sandbox_hosts: readonly string[];
  entrance: Entrance;
}

/** `dispatch` answers as the front door does, for routes that use the public API themselves. */
export function allRoutes(rooms: Rooms, readiness: Readiness, dispatch: Dispatch): Route[] {
  const { house, authenticator, jobs, sandbox_hosts } = rooms;
  const { compat_provider } = house.settings;
  return [
    ...searchRoutes(house),
    ...extractRoutes(house),
    ...transcriptionRoutes(jobs, sandbox_hosts),
    ...callbackRoutes(jobs),
    ...accountRoutes(house),
    ...adminRoutes(house, authenticator),
    ...providerRoutes(house),
    ...metaRoutes(readiness),
    ...surfaceRoutes({ docs: readDocs(), compat_provider, dispatch }),
    ...overviewRoutes(house),
    ...signInRoutes(house, rooms.entrance.desk),
    ...dashboardRoutes(dashboard_files),
  ];
}
