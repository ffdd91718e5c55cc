// SDK clients for the signed-in person. They authenticate with the session cookie instead of a key.
import { createAdminClient, createClient } from '@trivium/sdk';
import type { Client, Fetch } from '@trivium/sdk';
import { reportChange } from './data.ts';
import { reportLostSession } from './session-events.ts';

/** `location` is undefined in unit tests. */
const url = typeof location === 'undefined' ? undefined : location.origin;

/** Accounts, keys, people, webhooks and the logs. */
export const admin = createAdminClient({
  admin_token: 'session',
  url,
  timeout_ms: 60_000,
  max_retries: 0,
  fetch: (input, init) => sessionFetch(input, { ...init, headers: new Headers(init.headers) }),
});

interface GatewayClient {
  client: Client;
  /** Why the last fusion kept its pages, as the gateway explained it. */
  explanation: () => string | null;
}

/** A client for the tools. The account pays for its requests. */
export function gatewayClientFor(accountId: string): GatewayClient {
  let explanation: string | null = null;
  const client = createClient({
    api_key: 'session',
    url,
    max_retries: 0,
    fetch: async (input, init) => {
      const headers = new Headers(init.headers);
      headers.set('x-trivium-account', accountId);
      headers.set('x-trivium-explain', '1');
      const response = await fetchOnce(input, { ...init, headers });
      explanation = response.headers.get('x-trivium-explain');
      return response;
    },
  });
  return { client, explanation: () => explanation };
}

type Init = RequestInit & { headers: Headers };

export async function sessionFetch(
  input: Parameters<Fetch>[0],
  init: Init,
  report = reportChange,
): Promise<Response> {
  init.headers.delete('authorization');
  try {
    const response = await fetch(input, init);
    if (response.status === 401) reportLostSession();
    return response;
  } finally {
    if (init.method !== 'GET') report(new URL(String(input)).pathname);
  }
}

/** Idempotency keys of requests whose response was lost, by what was sent. */
const unanswered = new Map<string, string>();

/**
 * Reuses the idempotency key of a request whose response was lost, so that both together cost once.
 */
async function fetchOnce(input: Parameters<Fetch>[0], init: Init): Promise<Response> {
  const { headers, body } = init;
  const key = headers.get('idempotency-key');
  if (key === null || typeof body !== 'string') return sessionFetch(input, init);
  const sent = JSON.stringify([input, headers.get('x-trivium-account'), body]);
  const lostKey = unanswered.get(sent);
  if (lostKey !== undefined) headers.set('idempotency-key', lostKey);
  unanswered.set(sent, lostKey ?? key);
  const response = await sessionFetch(input, init);
  unanswered.delete(sent);
  return response;
}
