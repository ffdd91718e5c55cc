// A vendor that takes everything: it learns one good answer for each address from the sandbox and
// gives it to whatever is asked there later, with what it says it took as the test wishes.
import { vendorSettings } from '../vendor-settings.ts';

export type Lie = { says: unknown } | 'nothing' | undefined;

export type AnyUpstream = AsyncDisposable & {
  url: string;
  /** The settings that point every provider at it. */
  env: Record<string, string>;
  /** What later answers report as their price; undefined for what the sandbox said. */
  lie: Lie;
  /** Called before each answer, while the gateway waits for it. */
  meanwhile: (() => Promise<void>) | undefined;
  /** How many calls it has had. */
  calls: number;
};

type Learnt = { status: number; body: unknown };

/** Speech vendors are conversations and no single answers, so theirs go to the sandbox. */
const conversations = /^\/(?:assemblyai|deepgram|elevenlabs)\//;
/** Where vendors say what they took. */
const reportValues = new Set([
  'costDollars',
  'creditsUsed',
  'credits',
  'usage',
  'tokens',
  'total_deduction_dollars',
  'total_cost_dollars',
]);

export function startAnyUpstream(sandboxUrl: string): AnyUpstream {
  const learnt = new Map<string, Learnt>();
  const setAvailable = async (request: Request, address: string, key: string): Promise<Learnt> => {
    const answer = await passOn(request, sandboxUrl + address);
    const body: unknown = await answer.json();
    if (answer.ok) learnt.set(key, { status: answer.status, body });
    return { status: answer.status, body };
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      if (conversations.test(pathname)) return passOn(request, sandboxUrl + pathname + search);
      upstream.calls += 1;
      await upstream.meanwhile?.();
      const key = `${request.method} ${pathname}`;
      const { status, body } =
        learnt.get(key) ?? (await setAvailable(request, pathname + search, key));
      return Response.json(withLie(body, upstream.lie), { status });
    },
  });
  const url = server.url.origin;
  const upstream: AnyUpstream = {
    url,
    env: { TRIVIUM_SANDBOX: 'off', ...vendorSettings(url) },
    lie: undefined,
    meanwhile: undefined,
    calls: 0,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return upstream;
}

async function passOn(request: Request, url: string): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.delete('host');
  headers.set('accept-encoding', 'identity');
  return fetch(url, {
    method: request.method,
    headers,
    ...(request.method === 'GET' ? {} : { body: await request.arrayBuffer() }),
  });
}

/** The same answer with every report in it changed or gone; what it reports on stays. */
export function withLie(body: unknown, lie: Lie, reports = false): unknown {
  if (lie === undefined) return body;
  if (Array.isArray(body)) return body.map((one: unknown) => withLie(one, lie, reports));
  if (typeof body === 'object' && body !== null) {
    return Object.fromEntries(
      Object.entries(body).flatMap(([name, value]) => {
        const isReport = reports || reportValues.has(name);
        if (isReport && lie === 'nothing') return [];
        return [[name, withLie(value, lie, isReport)]];
      }),
    );
  }
  return reports && typeof body === 'number' && lie !== 'nothing' ? lie.says : body;
}
