// The drop-in APIs. Each call is translated and served as a call of our API, so that billing, limits
// and logs apply as to every request.
import { GatewayError } from '@trivium/contract';
import { readBalance } from '../../../billing/index.ts';
import type { Caller } from '../../../requests/index.ts';
import type { HttpContext } from '../../context.ts';
import type { Route } from '../../route.ts';
import { callerRoute } from '../rows.ts';
import { exaContents, exaSearch } from './exa.ts';
import { cancelBatch, firecrawlBatch, readBatch, readBatchErrors } from './firecrawl-batch.ts';
import { firecrawlScrape, firecrawlSearch } from './firecrawl.ts';
import { perplexitySearch } from './perplexity.ts';
import { searxngSearch } from './searxng.ts';
import { serve } from './serve.ts';
import type { Shape } from './shape.ts';
import { tavilyExtract, tavilySearch } from './tavily.ts';

const shapes: readonly Shape[] = [
  ...[tavilySearch, tavilyExtract, exaSearch, exaContents, perplexitySearch, searxngSearch],
  ...(['v1', 'v2'] as const).flatMap((version) => [
    firecrawlSearch(version),
    firecrawlScrape(version),
    firecrawlBatch(version),
  ]),
];

const firecrawl = '/compat/firecrawl';
/** Firecrawl's Python client of version 2 calls the root of the address that it is given. */
const firecrawlBases = [`${firecrawl}/v1`, `${firecrawl}/v2`, firecrawl, '/v2'];

export function compatRoutes(context: HttpContext): Route[] {
  const batchAt = (path: string) =>
    callerRoute('GET', path, {}, (incoming) => readBatch(context, incoming));
  return [
    ...shapes.flatMap((shape) => routesOf(context, shape)),
    ...firecrawlBases.map((base) => batchAt(`${base}/batch/scrape/:id`)),
    // The JavaScript client of version 1 reads the status of a batch at the address of a crawl.
    batchAt(`${firecrawl}/v1/crawl/:id`),
    ...firecrawlBases.flatMap((base) => [
      callerRoute('GET', `${base}/batch/scrape/:id/errors`, {}, (incoming) =>
        readBatchErrors(context, incoming),
      ),
      callerRoute('DELETE', `${base}/batch/scrape/:id`, {}, (incoming) =>
        cancelBatch(context, incoming),
      ),
      callerRoute('GET', `${base}/team/credit-usage`, { booked: true }, ({ caller }) =>
        readCredits(context, caller),
      ),
    ]),
    ...['crawl', 'map', 'research'].map((name) =>
      notServed('/compat/tavily', name, 'search, and extract of up to 20 pages'),
    ),
    ...firecrawlBases.flatMap((base) =>
      ['crawl', 'map'].map((name) =>
        notServed(base, name, 'search, scrape, and batch/scrape of up to 20 pages'),
      ),
    ),
  ];
}

function routesOf(context: HttpContext, shape: Shape): Route[] {
  const methods = shape.takes === 'json' ? (['POST'] as const) : (['GET', 'POST'] as const);
  return shape.paths.flatMap((path) =>
    methods.map((method): Route => ({
      method,
      path,
      role: 'drop_in',
      handle: (incoming) => serve(context, shape, incoming),
    })),
  );
}

/** Some applications check a key by asking for its credits. Version 1 uses other names. */
async function readCredits(context: HttpContext, caller: Caller): Promise<object> {
  const credits = Math.floor((await readBalance(context, caller)).credits);
  const data = {
    ...{ remainingCredits: credits, planCredits: credits },
    ...{ remaining_credits: credits, plan_credits: credits },
    ...{ billingPeriodStart: null, billingPeriodEnd: null },
  };
  return { success: true, data };
}

/** Clients show the sentence, because the error has the format of their API. */
function notServed(base: string, name: string, served: string): Route {
  const message = `This gateway does not offer ${name}. It offers ${served}.`;
  return callerRoute('POST', `${base}/${name}`, {}, () => {
    throw new GatewayError('provider_not_available', message);
  });
}
