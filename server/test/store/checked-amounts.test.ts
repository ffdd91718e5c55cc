// The store rejects invalid amounts, also a store from before that migration.
import { describe, expect, test } from 'bun:test';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import type { Database } from '../../src/store/database.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

const now = new Date('2026-11-16T12:00:00Z');
const checking = 12;

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
    await addAccount(store.database, 0, 0);
    for (const statement of forbidden) {
      const outcome = await store.database.run(statement).then(
        () => `accepted: ${statement}`,
        () => 'refused',
      );
      expect(outcome).toBe('refused');
    }
  });

  test('a store with invalid amounts is corrected, and its balances stay the same', async () => {
    const store = await engine.open();
    const database = await store.another();
    await migrate(
      database,
      now,
      migrations.filter(({ version }) => version < checking),
    );
    await addAccount(database, 1500, -400);
    for (const statement of [
      `insert into holds (id, account_id, amount, created_at) values ('good', 'a', 600, 0)`,
      `insert into holds (id, account_id, amount, created_at) values ('bad', 'a', -1000, 0)`,
      transfer('topup', 500),
      transfer('settle', 1000),
      request(-1000),
    ]) {
      await database.run(statement);
    }
    await migrate(database, now);
    const [account] = await database.run('select posted, held from accounts');
    expect([Number(account?.['posted']), Number(account?.['held'])]).toEqual([1500, 600]);
    const [sum] = await database.run('select sum(amount) as sum from transfers');
    expect(Number(sum?.['sum'])).toBe(1500);
    const { violations } = await auditLedger(database);
    expect(violations.filter((line) => /^Each (?:balance|account)|below 0/.test(line))).toEqual([]);
    await database.close();
    await store.discard();
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

async function addAccount(database: Database, posted: number, held: number): Promise<void> {
  await database.run(
    `insert into accounts (id, name, created_at, posted, held) values ('a', 'a', 0, $1, $2)`,
    [posted, held],
  );
}
