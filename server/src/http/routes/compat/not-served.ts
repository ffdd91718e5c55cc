// Endpoints of other APIs that no provider serves here. Their clients show the sentence, because
// the error has the format of their API.
import { GatewayError } from '@trivium/contract';
import type { Route } from '../../route.ts';
import { firecrawlBases } from './firecrawl-routes.ts';

const apis = [
  {
    bases: ['/compat/tavily'],
    names: ['crawl', 'map', 'research'],
    served: 'search, and extract of up to 20 pages',
  },
  {
    bases: firecrawlBases,
    names: ['crawl', 'map'],
    served: 'search, scrape, and batch/scrape of up to 20 pages',
  },
];

export function notServedRoutes(): Route[] {
  return apis.flatMap(({ bases, names, served }) =>
    bases.flatMap((base) =>
      names.map((name): Route => ({
        method: 'POST',
        path: `${base}/${name}`,
        role: 'caller',
        handle: () => Promise.reject(notServed(name, served)),
      })),
    ),
  );
}

function notServed(name: string, served: string): GatewayError {
  return new GatewayError(
    'provider_not_available',
    `This gateway does not offer ${name}. It offers ${served}.`,
  );
}
