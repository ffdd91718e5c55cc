// Every route of the gateway, in one list: what is not here cannot be reached.
import type { Route } from './http/app.ts';
import { accountRoutes } from './http/routes/account.ts';
import { adminRoutes } from './http/routes/admin.ts';
import { callbackRoutes } from './http/routes/callbacks.ts';
import { docsRoutes } from './http/routes/docs.ts';
import { extractRoutes } from './http/routes/extract.ts';
import { metaRoutes } from './http/routes/meta.ts';
import type { Readiness } from './http/routes/meta.ts';
import { providerRoutes } from './http/routes/providers.ts';
import { searchRoutes } from './http/routes/search.ts';
import { transcriptionRoutes } from './http/routes/transcriptions.ts';
import { readDocs } from './platform/docs-folder.ts';
import type { Authenticator } from './services/authenticate.ts';
import type { House } from './services/house.ts';
import type { JobDesk } from './services/job-desk.ts';

export interface Rooms {
  house: House;
  authenticator: Authenticator;
  jobs: JobDesk;
  /** Loopback addresses whose recordings may be transcribed: the built-in sandbox's own. */
  sandbox_hosts: readonly string[];
}

export function allRoutes(rooms: Rooms, readiness: Readiness): Route[] {
  const { house, authenticator, jobs, sandbox_hosts } = rooms;
  return [
    ...searchRoutes(house),
    ...extractRoutes(house),
    ...transcriptionRoutes(jobs, sandbox_hosts),
    ...callbackRoutes(jobs),
    ...accountRoutes(house),
    ...adminRoutes(house, authenticator),
    ...providerRoutes(house),
    ...metaRoutes(readiness),
    ...docsRoutes(readDocs()),
  ];
}
