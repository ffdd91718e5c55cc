// The routes of Firecrawl that are not a plain request and answer: the status of a batch, the
// credits, and what is not served here.
import { Balance, GatewayError } from '@trivium/contract';
import type { Dispatch } from '../../dispatch.ts';
import type { Route } from '../../route.ts';
import { cancelBatch, readBatch, readBatchErrors } from './firecrawl-batch.ts';
import type { BatchContext } from './firecrawl-batch.ts';

const bases = ['/compat/firecrawl/v1', '/compat/firecrawl/v2', '/v2'];

/** The JavaScript client of version 1 reads the status of a batch where a crawl would have it. */
const crawlStatus = '/compat/firecrawl/v1/crawl/:id';

export function firecrawlRoutes(context: BatchContext, dispatch: Dispatch): Route[] {
  const statuses = [...bases.map((base) => `${base}/batch/scrape/:id`), crawlStatus];
  return [
    ...statuses.map((path): Route => ({
      method: 'GET',
      path,
      handle: ({ caller, params }) => readBatch(context, caller, params['id'] ?? ''),
    })),
    ...bases.flatMap((base) => routesBelow(base, context, dispatch)),
  ];
}

function routesBelow(base: string, context: BatchContext, dispatch: Dispatch): Route[] {
  return [
    {
      method: 'GET',
      path: `${base}/batch/scrape/:id/errors`,
      handle: ({ caller, params }) => readBatchErrors(context, caller, params['id'] ?? ''),
    },
    {
      method: 'DELETE',
      path: `${base}/batch/scrape/:id`,
      handle: ({ caller, params }) => cancelBatch(context, caller, params['id'] ?? ''),
    },
    {
      method: 'GET',
      path: `${base}/team/credit-usage`,
      dispatches: true,
      handle: ({ request, request_id }) => readCredits(request, request_id, dispatch),
    },
    ...['crawl', 'map'].map((name): Route => ({
      method: 'POST',
      path: `${base}/${name}`,
      handle: () => Promise.reject(notServed(name)),
    })),
  ];
}

function notServed(name: string): GatewayError {
  return new GatewayError(
    'provider_not_available',
    `This gateway does not serve ${name}. ` +
      'It serves search, scrape, and batch/scrape of up to 20 pages.',
  );
}

/** Some applications check a key by asking for its credits. Version 1 has other names. */
async function readCredits(
  { url, headers, signal }: Request,
  requestId: string,
  dispatch: Dispatch,
): Promise<Response> {
  const call = new Request(new URL('/v1/balance', url), { headers, signal });
  const response = await dispatch(call, requestId);
  if (!response.ok) return response;
  const credits = Math.floor(Balance.parse(await response.json()).credits);
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
