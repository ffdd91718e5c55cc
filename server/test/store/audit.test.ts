// The audit on both engines: silent about the books of a gateway after every kind of traffic, and
// precise about books that are wrong in any one way.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { list_prices } from '../../src/providers/list-prices.ts';
import type { Runner } from '../../src/platform/database.ts';
import { auditLedger } from '../../src/services/audit-ledger.ts';
import type { AuditOptions } from '../../src/services/audit-ledger.ts';
import { migrate } from '../../src/store/migrate.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { openStage, makeTraffic } from './audited-stage.ts';
import type { Stage } from './audited-stage.ts';
import { corruptions, embeddedCorruptions } from './corruptions.ts';
import { engines } from './engines.ts';
import { harmless } from './explained-books.ts';
import { eventually, openPlace } from './place.ts';

const options = (): AuditOptions => ({ now: Date.now(), prices: list_prices });
const stageLimitMs = 60_000;

describe.each(engines)('on $name', (engine) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(engine);
    await makeTraffic(stage);
  }, stageLimitMs);
  afterAll(() => stage.discard(), stageLimitMs);

  /** What the audit says of the books after a statement, which is then undone. */
  async function violationsAfter(statements: readonly string[]): Promise<string[]> {
    let violations: string[] = [];
    const undo = new Error('undone');
    await stage.bench.database
      .transaction(async (tx) => {
        await allowAnything(tx, engine.name);
        for (const statement of statements) await tx.run(statement);
        ({ violations } = await auditLedger(tx, options()));
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    return violations;
  }

  test('books after every kind of traffic are right, and so is memory', async () => {
    const { reading, violations } = await auditLedger(stage.bench.database, options());
    expect(violations).toEqual([]);
    expect(reading).toMatchObject({ topups: 6_000_000, refunds: 1000, adjustments: -500_000 });
    expect(reading.settles).toBeLessThan(-70_000);
    expect(await stage.manage('GET', '/admin/v1/audit')).toMatchObject({ violations: [] });
    await stage.stopGateway();
  });

  test.each(corruptions)('$name is told', async ({ statements, told }) => {
    const violations = await violationsAfter(statements);
    expect(violations.join('\n')).toMatch(told);
  });

  test.each(engine.name === 'SQLite' ? embeddedCorruptions : [])(
    '$name is told, which only SQLite lets happen',
    async ({ statements, told }) => {
      expect((await violationsAfter(statements)).join('\n')).toMatch(told);
    },
  );

  test.each(harmless)('$name is right', async ({ statements }) => {
    expect(await violationsAfter(statements)).toEqual([]);
  });
});

describe.each(engines)('beside a gateway on $name', (engine) => {
  test('books are right while requests run', async () => {
    await using place = await openPlace(engine, '1');
    const searches = Array.from({ length: 40 }, () => place.gateway.search());
    const database = await place.bench.another();
    const during = await auditLedger(database);
    await Promise.all(searches);
    // From outside, the last of them may not be booked yet.
    const settled = async () => (await auditLedger(database)).reading.settles;
    await eventually(async () => (await settled()) === -280_000);
    const after = await auditLedger(database);
    await database.close();
    expect([during.violations, after.violations]).toEqual([[], []]);
    expect(after.reading).toMatchObject({ topups: 1_000_000, settles: -280_000, held: 0 });
  });
});

test.each(engines)(
  'a store of the version before on $name has nothing to explain',
  async (engine) => {
    const bench = await engine.open();
    try {
      const before = migrations.filter(({ version }) => version <= 11);
      await migrate(bench.database, new Date(0), before);
      for (const statement of olderRows) await bench.database.run(statement);
      await migrate(bench.database, new Date(0));
      const { violations, reading } = await auditLedger(bench.database, options());
      expect(violations).toEqual([]);
      expect(reading).toMatchObject({ posted: -350_000, settles: -450_000 });
    } finally {
      await bench.discard();
    }
  },
);

/** A search, its replay, and audio that was longer than its hold and the balance. */
const olderRows = [
  "insert into accounts (id, name, created_at, posted) values ('a', 'a', 1, -350000)",
  `insert into transfers (id, kind, account_id, amount, hold_id, key_id, created_at) values
    ('top', 'topup', 'a', 100000, null, null, 1),
    ('req_1', 'settle', 'a', -7000, 'req_1', 'k', 2),
    ('job:job_1', 'settle', 'a', -443000, 'job:job_1', 'k', 3)`,
  "insert into key_days (key_id, day, spent, held) values ('k', 1, 450000, 0)",
  `insert into requests (id, account_id, key_id, tool, provider, status, warnings, cost,
     latency_ms, created_at) values
    ('req_1', 'a', 'k', 'search', 'engine_a', 200, 0, 7000, 1, 2),
    ('req_2', 'a', 'k', 'search', null, 200, 0, 0, 1, 2),
    ('req_3', 'a', 'k', 'transcription', 'stt_a', 202, 0, 443000, 1, 3)`,
];

/** The store refuses most of what the audit is there to find; the tests have to get past that. */
async function allowAnything(tx: Runner, engine: string): Promise<void> {
  if (engine === 'SQLite') {
    await tx.run('pragma ignore_check_constraints = on');
    const triggers = await tx.run<{ name: string }>(
      "select name from sqlite_master where type = 'trigger'",
    );
    for (const { name } of triggers) await tx.run(`drop trigger ${name}`);
    return;
  }
  const checks = await tx.run<{ owner: string; name: string }>(
    `select conrelid::regclass::text as owner, conname as name from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace`,
  );
  for (const { owner, name } of checks) {
    await tx.run(`alter table ${owner} drop constraint ${name}`);
  }
}
