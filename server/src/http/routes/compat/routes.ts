// The drop-in APIs under /compat. Each call is translated and dispatched to the public API, so that
// authentication, billing, limits and logs apply as to every request.
import { exaContents, exaSearch } from './exa.ts';
import { firecrawlBatch } from './firecrawl-batch.ts';
import type { BatchContext } from './firecrawl-batch.ts';
import { firecrawlRoutes } from './firecrawl-routes.ts';
import { firecrawlScrape, firecrawlSearch } from './firecrawl.ts';
import { perplexitySearch } from './perplexity.ts';
import { searxngSearch } from './searxng.ts';
import { serve } from './serve.ts';
import type { Shape } from './shape.ts';
import { tavilyExtract, tavilySearch } from './tavily.ts';
import type { Dispatch } from '../../dispatch.ts';
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

export function compatRoutes(
  context: BatchContext,
  defaultProvider: string,
  dispatch: Dispatch,
): Route[] {
  const translated = shapes.flatMap((shape) =>
    [...shape.paths.map((path) => `/compat${path}`), ...(shape.rootPaths ?? [])].flatMap((path) =>
      methodsOf(shape).map((method): Route => ({
        method,
        path,
        // The dispatched request is authenticated; here the key may be where the other API puts it.
        public: true,
        handle: (incoming) => serve(shape, incoming, defaultProvider, dispatch),
      })),
    ),
  );
  return [...translated, ...firecrawlRoutes(context, dispatch)];
}

function methodsOf({ takes }: Shape): readonly ('GET' | 'POST')[] {
  return takes === 'json' ? ['POST'] : ['GET', 'POST'];
}
