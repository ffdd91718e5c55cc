// An upstream that accepts every request: it fetches one successful answer for each path from the
// sandbox and repeats it for later requests, with the price report that the test sets.
import { vendorSettings } from '../vendor-settings.ts';

export type PriceReport = { value: unknown } | 'nothing' | undefined;

export type AnyUpstream = AsyncDisposable & {
  url: string;
  /** The settings that point every provider at this upstream. */
  env: Record<string, string>;
  /** The price that later answers report; undefined keeps the report of the sandbox. */
  priceReport: PriceReport;
  /** Called before each answer, while the gateway waits for it. */
  meanwhile: (() => Promise<void>) | undefined;
  /** How many calls it has received. */
  calls: number;
};

type StoredAnswer = { status: number; body: unknown };

/** Speech vendors need several calls per job, so their requests go to the sandbox. */
const speechPaths = /^\/(?:assemblyai|deepgram|elevenlabs)\//;
/** Fields in which vendors report their charge. */
const reportFields = new Set([
  'costDollars',
  'creditsUsed',
  'credits',
  'usage',
  'tokens',
  'total_deduction_dollars',
  'total_cost_dollars',
]);

export function startAnyUpstream(sandboxUrl: string): AnyUpstream {
  const stored = new Map<string, StoredAnswer>();
  const fetchFromSandbox = async (
    request: Request,
    address: string,
    key: string,
  ): Promise<StoredAnswer> => {
    const answer = await forward(request, sandboxUrl + address);
    const body: unknown = await answer.json();
    if (answer.ok) stored.set(key, { status: answer.status, body });
    return { status: answer.status, body };
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      if (speechPaths.test(pathname)) return forward(request, sandboxUrl + pathname + search);
      upstream.calls += 1;
      await upstream.meanwhile?.();
      const key = `${request.method} ${pathname}`;
      const { status, body } =
        stored.get(key) ?? (await fetchFromSandbox(request, pathname + search, key));
      return Response.json(withPriceReport(body, upstream.priceReport), { status });
    },
  });
  const url = server.url.origin;
  const upstream: AnyUpstream = {
    url,
    env: { TRIVIUM_SANDBOX: 'off', ...vendorSettings(url) },
    priceReport: undefined,
    meanwhile: undefined,
    calls: 0,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return upstream;
}

async function forward(request: Request, url: string): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.delete('host');
  headers.set('accept-encoding', 'identity');
  return fetch(url, {
    method: request.method,
    headers,
    ...(request.method === 'GET' ? {} : { body: await request.arrayBuffer() }),
  });
}

/** The same answer with every price report replaced or removed. */
export function withPriceReport(
  body: unknown,
  priceReport: PriceReport,
  inReport = false,
): unknown {
  if (priceReport === undefined) return body;
  if (Array.isArray(body))
    return body.map((one: unknown) => withPriceReport(one, priceReport, inReport));
  if (typeof body === 'object' && body !== null) {
    return Object.fromEntries(
      Object.entries(body).flatMap(([name, value]) => {
        const isReport = inReport || reportFields.has(name);
        if (isReport && priceReport === 'nothing') return [];
        return [[name, withPriceReport(value, priceReport, isReport)]];
      }),
    );
  }
  return inReport && typeof body === 'number' && priceReport !== 'nothing'
    ? priceReport.value
    : body;
}
