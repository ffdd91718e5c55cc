// Records what each mount received, so that a test can check exactly what was sent.
import type { Incoming } from './vendor.ts';

export type Call = {
  at: string;
  method: string;
  path: string;
  query: Record<string, string | string[]>;
  headers: Record<string, string>;
  body: unknown;
};

export type Calls = {
  record: (mount: string, incoming: Incoming, now: Date) => void;
  list: (mount: string) => Call[];
  clear: () => void;
};

export function createCalls(): Calls {
  const kept = new Map<string, Call[]>();
  return {
    record: (mount, incoming, now) => {
      const calls = kept.get(mount) ?? [];
      calls.push(describe(incoming, now));
      if (calls.length > maxCallsPerMount) calls.shift();
      kept.set(mount, calls);
    },
    list: (mount) => kept.get(mount) ?? [],
    clear: () => kept.clear(),
  };
}

const maxCallsPerMount = 1000;

const credentialHeaders = new Set([
  'authorization',
  'cookie',
  'x-api-key',
  'x-subscription-token',
  'xi-api-key',
]);

function describe({ method, path, query, headers, body }: Incoming, now: Date): Call {
  const shown = [...headers].filter(([name]) => !credentialHeaders.has(name));
  return {
    at: now.toISOString(),
    method,
    path,
    query,
    headers: Object.fromEntries(shown),
    body: body ?? null,
  };
}
