// The store rejects invalid amounts.
import { describe, expect, test } from 'bun:test';
import type { Database } from '../../src/store/database.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

const forbidden = [
  `insert into holds (id, account_id, amount, created_at) values ('h', 'a', -1, 0)`,
  `insert into holds (id, account_id, amount, created_at) values ('h', 'a', 10000000001, 0)`,
  `update accounts set held = -1`,
  transfer('settle', 1),
  transfer('settle', -10_000_000_001),
  transfer('refund', -1),
  transfer('topup', -1),
  transfer('adjust', 1_000_000_000_001),
  request(-1),
  request(10_000_000_001),
];

describe.each(engines)('on $name', (engine) => {
  test('no statement can write an invalid amount', async () => {
    await using store = await makeStore(engine);
    await addAccount(store.database);
    for (const statement of forbidden) {
      const outcome = await store.database.run(statement).then(
        () => `accepted: ${statement}`,
        () => 'refused',
      );
      expect(outcome).toBe('refused');
    }
  });
});

function transfer(kind: string, amount: number): string {
  return `insert into transfers (id, kind, account_id, amount, created_at)
    values ('${kind}${amount}', '${kind}', 'a', ${amount}, 0)`;
}

function request(cost: number): string {
  return `insert into requests
      (id, account_id, key_id, tool, status, warnings, cost, latency_ms, created_at)
    values ('req${cost}', 'a', 'k', 'search', 200, 0, ${cost}, 1, 0)`;
}

async function addAccount(database: Database): Promise<void> {
  await database.run("insert into accounts (id, name, created_at) values ('a', 'a', 0)");
}
