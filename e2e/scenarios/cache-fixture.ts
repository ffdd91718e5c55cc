// What the tests of the cache share: gateways in front of an engine that counts its calls.
import { micro, operatorToken } from '../billing/small-account.ts';
import { readGauge } from '../gauges.ts';
import { startPair } from '../harness.ts';
import type { Engine, Gateway, GatewayOptions, GatewayPair } from '../harness.ts';
import type { Answer, Client } from '../http-client.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import type { Received, Upstream } from '../upstream.ts';
import { waitFor } from '../wait-for.ts';

export const price = 7000;
export const oneHour = { 'x-trivium-cache': '3600' };

/** Answers searches and extractions as engine_a does, after `gate` is open. */
export function startExa(gate: () => Promise<void> = async () => {}): Upstream {
  let calls = 0;
  return startUpstream(async (request) => {
    calls += 1;
    await gate();
    return request.path === '/contents' ? pages(request, calls) : results(calls);
  });
}

function results(call: number): Response {
  return exaAnswer([
    { url: `https://example.org/${call}`, title: `Call ${call}`, highlights: ['one', 'two'] },
    { url: 'https://example.org/same', title: 'é "quoted" \u2028', highlights: [], odd: 1e21 },
  ]);
}

function pages({ body }: Received, call: number): Response {
  const { urls } = body as { urls: string[] };
  const read = urls.filter((url) => !url.includes('missing'));
  return Response.json({
    requestId: 'r',
    results: read.map((url) => ({ id: url, url, title: 'Page', text: `Text ${call} of ${url}` })),
    statuses: urls.map((id) =>
      id.includes('missing')
        ? { id, status: 'error', error: { tag: 'CRAWL_NOT_FOUND', httpStatusCode: 404 } }
        : { id, status: 'success' },
    ),
    costDollars: { total: 0.001 * read.length },
  });
}

type CacheFixture<G extends Gateway> = AsyncDisposable & { gateways: [G, G]; exa: Upstream };

/** One gateway twice on the embedded store, two gateways on PostgreSQL. */
export const openFixture = (
  engine: Engine,
  more: Record<string, string> = {},
  gate?: () => Promise<void>,
) => openPair(startPair, engine, more, gate);

export async function openPair<G extends Gateway>(
  start: (engine: Engine, options: GatewayOptions) => Promise<GatewayPair<G>>,
  engine: Engine,
  more: Record<string, string> = {},
  gate?: () => Promise<void>,
): Promise<CacheFixture<G>> {
  const exa = startExa(gate);
  const env = { ...exa.env, TRIVIUM_ADMIN_TOKEN: operatorToken, ...more };
  const pair = await start(engine, { env });
  return {
    gateways: [pair.gateway, pair.other],
    exa,
    [Symbol.asyncDispose]: async () => {
      await pair[Symbol.asyncDispose]();
      await exa[Symbol.asyncDispose]();
    },
  };
}

export const ask = (client: Client, body: object, headers: Record<string, string> = oneHour) =>
  client.post('/v1/search', { provider: 'engine_a', query: 'wind', ...body }, headers);
export const read = (client: Client, urls: string[], headers: Record<string, string> = oneHour) =>
  client.post('/v1/extract', { provider: 'engine_a', urls }, headers);

/** Waits until this many requests have searched the store and wait for their answer. */
export async function haveLookedUp(gateway: Gateway, count: number): Promise<void> {
  await waitFor(() => readGauge(gateway, 'trivium_requests_running'), {
    what: `${count} requests are in progress`,
    // The request for the metrics is one more.
    until: (running) => running === count + 1,
  });
  // The store answers in order: what was read before this is known.
  await gateway.get('/v1/balance');
}

export const how = ({ headers }: Answer) =>
  headers.get('x-trivium-cache')?.replace(/age=\d+/, 'age=N');
export const cost = ({ body }: Answer) =>
  micro((body as { usage: { cost_usd: number } }).usage.cost_usd);
export const idIn = ({ body }: Answer) => (body as { id: string }).id;
export const resultsIn = ({ text }: Answer) =>
  text.slice(text.indexOf('"results":'), text.indexOf('"warnings":'));
