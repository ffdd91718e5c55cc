// The SDK client of the signed-in person. The first page loads without it.
import { createClient } from '@trivium/sdk';
import type { Client } from '@trivium/sdk';
import { reportLostSession } from './session-events.ts';

export interface GatewayClient {
  client: Client;
  /** Why pages were kept in the last fusion, as the gateway explained it. */
  explanation: () => string | null;
}

/** The SDK client, authenticated by the session cookie instead of a key. */
export function gatewayClientFor(accountId: string): GatewayClient {
  let explanation: string | null = null;
  const client = createClient({
    api_key: 'session',
    url: location.origin,
    max_retries: 0,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete('authorization');
      headers.set('x-trivium-account', accountId);
      headers.set('x-trivium-explain', '1');
      const response = await fetchOnce(input, { ...init, headers });
      if (response.status === 401) reportLostSession();
      explanation = response.headers.get('x-trivium-explain');
      return response;
    },
  });
  return { client, explanation: () => explanation };
}

/** The idempotency keys of requests whose response was lost, by what was sent. */
const unanswered = new Map<string, string>();

/** A request that is sent again after its response was lost is paid once. */
async function fetchOnce(
  input: Parameters<typeof fetch>[0],
  init: RequestInit & { headers: Headers },
): Promise<Response> {
  const { headers, body } = init;
  const key = headers.get('idempotency-key');
  if (key === null || typeof body !== 'string') return fetch(input, init);
  const sent = JSON.stringify([input, headers.get('x-trivium-account'), body]);
  const lostKey = unanswered.get(sent);
  if (lostKey !== undefined) headers.set('idempotency-key', lostKey);
  unanswered.set(sent, lostKey ?? key);
  const response = await fetch(input, init);
  unanswered.delete(sent);
  return response;
}
