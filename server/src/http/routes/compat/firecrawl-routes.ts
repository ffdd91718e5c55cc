// Firecrawl's routes that are more than a request and an answer: the status of a batch, and the
// credits.
import { readBalance } from '../../../billing/index.ts';
import type { BillingContext } from '../../../billing/index.ts';
import type { Caller } from '../../../requests/index.ts';
import type { Route } from '../../route.ts';
import { cancelBatch, readBatch, readBatchErrors } from './firecrawl-batch.ts';
import type { BatchContext } from './firecrawl-batch.ts';

export const firecrawlBases = [
  '/compat/firecrawl/v1',
  '/compat/firecrawl/v2',
  '/compat/firecrawl',
  '/v2',
];

/** The JavaScript client of version 1 reads the status of a batch at the address of a crawl. */
const crawlStatus = '/compat/firecrawl/v1/crawl/:id';

export type FirecrawlContext = BatchContext & BillingContext;

export function firecrawlRoutes(context: FirecrawlContext): Route[] {
  const statuses = [...firecrawlBases.map((base) => `${base}/batch/scrape/:id`), crawlStatus];
  return [
    ...statuses.map((path): Route => ({
      method: 'GET',
      path,
      role: 'caller',
      handle: ({ caller, params }) => readBatch(context, caller, params['id'] ?? ''),
    })),
    ...firecrawlBases.flatMap((base) => routesBelow(base, context)),
  ];
}

function routesBelow(base: string, context: FirecrawlContext): Route[] {
  return [
    {
      method: 'GET',
      path: `${base}/batch/scrape/:id/errors`,
      role: 'caller',
      handle: ({ caller, params }) => readBatchErrors(context, caller, params['id'] ?? ''),
    },
    {
      method: 'DELETE',
      path: `${base}/batch/scrape/:id`,
      role: 'caller',
      handle: ({ caller, params }) => cancelBatch(context, caller, params['id'] ?? ''),
    },
    {
      method: 'GET',
      path: `${base}/team/credit-usage`,
      role: 'caller',
      booked: true,
      handle: ({ caller }) => readCredits(context, caller),
    },
  ];
}

/** Some applications check a key by asking for its credits. Version 1 uses other names. */
async function readCredits(context: FirecrawlContext, caller: Caller): Promise<Response> {
  const credits = Math.floor((await readBalance(context, caller)).credits);
  const data = {
    remainingCredits: credits,
    planCredits: credits,
    remaining_credits: credits,
    plan_credits: credits,
    billingPeriodStart: null,
    billingPeriodEnd: null,
  };
  return Response.json({ success: true, data });
}
