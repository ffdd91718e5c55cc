// Every route of the gateway, in one list: what is not here cannot be reached.
import type { Route } from './http/app.ts';
import { accountRoutes } from './http/routes/account.ts';
import { adminRoutes } from './http/routes/admin.ts';
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

export function allRoutes(
  house: House,
  authenticator: Authenticator,
  readiness: Readiness,
): Route[] {
  return [
    ...searchRoutes(house),
    ...extractRoutes(house),
    ...transcriptionRoutes(),
    ...accountRoutes(house),
    ...adminRoutes(house, authenticator),
    ...providerRoutes(house),
    ...metaRoutes(readiness),
    ...docsRoutes(readDocs()),
  ];
}
