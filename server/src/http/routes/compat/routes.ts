// The drop-in APIs under /compat. Each call is translated and served as a call of our API, so that
// billing, limits and logs apply as to every request.
import { exaContents, exaSearch } from './exa.ts';
import { firecrawlBatch } from './firecrawl-batch.ts';
import { firecrawlRoutes } from './firecrawl-routes.ts';
import type { FirecrawlContext } from './firecrawl-routes.ts';
import { firecrawlScrape, firecrawlSearch } from './firecrawl.ts';
import { notServedRoutes } from './not-served.ts';
import { perplexitySearch } from './perplexity.ts';
import { searxngSearch } from './searxng.ts';
import { serve } from './serve.ts';
import type { PaidSurface } from './serve.ts';
import type { Shape } from './shape.ts';
import { tavilyExtract, tavilySearch } from './tavily.ts';
import type { Route } from '../../route.ts';

const versions = ['v1', 'v2'] as const;

const shapes: readonly Shape[] = [
  tavilySearch,
  tavilyExtract,
  exaSearch,
  exaContents,
  perplexitySearch,
  searxngSearch,
  ...versions.flatMap((version) => [
    firecrawlSearch(version),
    firecrawlScrape(version),
    firecrawlBatch(version),
  ]),
];

export type { FirecrawlContext as CompatContext } from './firecrawl-routes.ts';

export function compatRoutes(
  context: FirecrawlContext,
  defaultProvider: string,
  paid: PaidSurface,
): Route[] {
  const translated = shapes.flatMap((shape) =>
    [...shape.paths.map((path) => `/compat${path}`), ...(shape.rootPaths ?? [])].flatMap((path) =>
      methodsOf(shape).map((method): Route => ({
        method,
        path,
        role: 'drop_in',
        handle: (incoming) => serve(shape, incoming, defaultProvider, paid),
      })),
    ),
  );
  return [...translated, ...firecrawlRoutes(context), ...notServedRoutes()];
}

function methodsOf({ takes }: Shape): readonly ('GET' | 'POST')[] {
  return takes === 'json' ? ['POST'] : ['GET', 'POST'];
}
