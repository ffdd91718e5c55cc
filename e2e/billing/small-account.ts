// Creates an account on a running gateway, with a given balance and one key.
import { createClient } from '../http-client.ts';
import type { Client } from '../http-client.ts';
import type { Gateway } from '../harness.ts';
import { waitFor } from '../wait-for.ts';

export const operatorToken = 'operator-token-of-the-billing-tests-0123456789';
export const asOperator = { authorization: `Bearer ${operatorToken}` };

export type SmallAccount = {
  id: string;
  key: string;
  headers: { authorization: string };
  /** A client of the given gateway with the key of this account. */
  on: (gateway: Gateway) => Client;
};

/** `limits` are those of the key, such as caps; `policy` is that of the account. */
export async function makeAccount(
  gateway: Gateway,
  balanceUsd: number,
  limits: object = {},
  policy: object = {},
): Promise<SmallAccount> {
  const made = async (path: string, body: object) => {
    const answer = await gateway.post(`/admin/v1/accounts${path}`, body, asOperator);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body as { id: string; key: string };
  };
  const { id } = await made('', { name: 'small', ...policy });
  if (balanceUsd > 0) await made(`/${id}/topups`, { amount_usd: balanceUsd, reason: 'opening' });
  const { key } = await made(`/${id}/keys`, { name: 'one', ...limits });
  return {
    ...{ id, key, headers: { authorization: `Bearer ${key}` } },
    on: (asked) =>
      createClient(
        () => asked.url,
        () => key,
      ),
  };
}

/** Micro-USD: the available balance without holds, and the sum of the holds. */
export type Money = { balance: number; held: number };

export async function moneyOf(client: Client): Promise<Money> {
  const { body } = await client.get('/v1/balance');
  const { balance_usd, held_usd } = body as { balance_usd: number; held_usd: number };
  return { balance: micro(balance_usd), held: micro(held_usd) };
}

/** When every hold has been settled or released. */
export function settledMoney(client: Client): Promise<Money> {
  return waitFor(() => moneyOf(client), {
    what: 'no hold is left',
    until: ({ held }) => held === 0,
  });
}

/** The cost in an answer, in micro-USD; 0 for a request that was not served. */
export function costIn({ status, body }: { status: number; body: unknown }): number {
  return status === 200 ? micro((body as { usage: { cost_usd: number } }).usage.cost_usd) : 0;
}

export function micro(dollars: number): number {
  return Math.round(dollars * 1e6);
}
