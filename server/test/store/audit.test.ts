// The audit on both engines: it finds no fault after every kind of traffic, reports exactly what is wrong
// in a corrupted store, and its command prints it and compares the memory of a running gateway.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freeProviders, listPrices } from '../../src/providers/registry.ts';
import type { Runner } from '../../src/store/database.ts';
import { auditLedger, type AuditOptions } from '../../src/billing/audit-books.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { type AuditedGateway, makeTraffic, openAuditedGateway } from './audit-traffic.ts';
import { corruptions, sqliteCorruptions } from './corruptions.ts';
import { engines, sqliteEngine } from './engines.ts';
import { validBooks } from './valid-books.ts';
import { tmpdir } from 'node:os';
import { MemoryAudit } from '@trivium/contract';
import { commandOf } from '../../../e2e/child-process.ts';
import { adminToken, type TestGateway } from '../gateway.ts';
import { type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';

const options = (): AuditOptions => ({ now: Date.now(), freeProviders: freeProviders(listPrices) });

describe.each(engines)('on $name', (engine) => {
  let audited: AuditedGateway;
  beforeAll(async () => {
    audited = await openAuditedGateway(engine);
    await makeTraffic(audited);
  });
  afterAll(() => audited.discard());

  /** The violations after the statements, which are rolled back. */
  async function violationsAfter(statements: readonly string[]): Promise<string[]> {
    let violations: string[] = [];
    const rollBack = new Error('rolled back');
    await audited.store.database
      .transaction(async (tx) => {
        await dropConstraints(tx, engine.name);
        for (const statement of statements) await tx.run(statement);
        ({ violations } = await auditLedger(tx, options()));
        throw rollBack;
      })
      .catch((error: unknown) => {
        if (error !== rollBack) throw error;
      });
    return violations;
  }

  test('there is no violation after every kind of traffic, in the store or in memory', async () => {
    const { totals, violations } = await auditLedger(audited.store.database, options());
    expect(violations).toEqual([]);
    expect(totals).toMatchObject({ topups: 6_000_000, refunds: 2000, adjustments: -500_000 });
    expect(totals.settles).toBeLessThan(-70_000);
    expect(await audited.manage('GET', '/books')).toMatchObject({ violations: [] });
    await audited.stopGateway();
  });

  test.each(corruptions)('$name is reported', async ({ statements, expected }) => {
    const violations = await violationsAfter(statements);
    expect(violations.join('\n')).toMatch(expected);
  });

  test.each(engine.name === 'SQLite' ? sqliteCorruptions : [])(
    '$name is reported, which only SQLite allows',
    async ({ statements, expected }) => {
      expect((await violationsAfter(statements)).join('\n')).toMatch(expected);
    },
  );

  test.each(validBooks)('$name is not a violation', async ({ statements }) => {
    expect(await violationsAfter(statements)).toEqual([]);
  });
});

test.each(engines)(
  'a store of 0.2.0 on $name with rows of 0.1.0 has no violation',
  async (engine) => {
    const store = await engine.open();
    try {
      const before = migrations.filter(({ version }) => version === 41);
      await migrate(store.database, new Date(0), before);
      for (const statement of olderRows) await store.database.run(statement);
      await migrate(store.database, new Date(0));
      const { violations, totals } = await auditLedger(store.database, options());
      expect(violations).toEqual([]);
      expect(totals).toMatchObject({ posted: -350_000, settles: -450_000 });
    } finally {
      await store.discard();
    }
  },
);

/** A search, its replay, and audio that cost more than its hold and the balance. */
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

/** Removes the constraints that keep such rows out of the store. */
async function dropConstraints(tx: Runner, engine: string): Promise<void> {
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

const program = commandOf('server/src/app/commands/audit.ts');

async function runAudit({ store }: GatewayOnStore, args: readonly string[] = [], env = {}) {
  const child = Bun.spawn([...program, ...args], {
    // Without a .env file.
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], TRIVIUM_ADMIN_TOKEN: adminToken, ...store.settings, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output, errors };
}

async function memoryOf(gateway: TestGateway): Promise<MemoryAudit> {
  return MemoryAudit.parse(await (await gateway.admin('GET', '/books')).json());
}

async function change({ store }: GatewayOnStore, ...statements: string[]): Promise<void> {
  const database = await store.another();
  for (const statement of statements) await database.run(statement);
  await database.close();
}

describe.each(engines)('on $name', (engine) => {
  test('it prints the totals, and that all checks of store and gateway passed', async () => {
    await using fixture = await openGatewayOnStore(engine, '1');
    await fixture.gateway.search();
    await fixture.gateway.ask('GET', '/v1/balance');
    const { code, output } = await runAudit(fixture, ['--gateway', fixture.gateway.url]);
    expect([code, output]).toEqual([0, expect.stringContaining('-0.007000 USD')]);
    expect(output).toMatch(/All \d+ checks passed\.\nMemory of http:\S+\n.*\nIt agrees with the s/);
    expect(output).not.toContain('VIOLATION');
  });

  test('memory and store agree at any time while requests run', async () => {
    await using fixture = await openGatewayOnStore(engine, '1');
    let running = true;
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let at = 0; at < 15; at += 1) await fixture.gateway.search();
      }),
    ).finally(() => (running = false));
    const found: MemoryAudit[] = [];
    while (running) found.push(await memoryOf(fixture.gateway));
    await load;
    found.push(await memoryOf(fixture.gateway));
    expect(found.flatMap(({ violations }) => violations)).toEqual([]);
    expect(found.at(-1)).toMatchObject({ accounts: 1, reserved_usd: 0 });
  });
});

// What the audit finds in the store is tested above, on both engines.
describe('on a store with faults', () => {
  let fixture: GatewayOnStore;
  beforeAll(async () => {
    fixture = await openGatewayOnStore(sqliteEngine, '1');
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test('the audit of an unreachable gateway fails', async () => {
    const { url } = fixture.gateway;
    const cases: [string[], Record<string, string>, string][] = [
      [['--gateway', 'http://127.0.0.1:1'], {}, 'could not be audited'],
      [['--gateway', url], { TRIVIUM_ADMIN_TOKEN: 'x'.repeat(40) }, 'answered 401'],
      [['--gateway', url], { TRIVIUM_ADMIN_TOKEN: '' }, 'TRIVIUM_ADMIN_TOKEN'],
      [['--gateway'], {}, 'Use: audit'],
      [['--something', url], {}, 'Use: audit'],
    ];
    for (const [args, env, expected] of cases) {
      const { code, errors } = await runAudit(fixture, args, env);
      expect([args, code, errors]).toEqual([args, 1, expect.stringContaining(expected)]);
    }
    expect((await fixture.gateway.ask('GET', '/admin/v1/books')).status).toBe(401);
  });

  test('a balance that changed without the gateway is a violation', async () => {
    await fixture.gateway.search();
    await change(
      fixture,
      'update accounts set posted = posted + 5',
      `insert into transfers (id, kind, account_id, amount, created_at)
       values ('top_x', 'topup', 'acct_default', 5, 1)`,
    );
    const { code, output } = await runAudit(fixture, ['--gateway', fixture.gateway.url]);
    expect([code, output]).toEqual([1, expect.stringMatching(/All \d+ checks passed\./)]);
    expect(output).toMatch(
      /^VIOLATION The available amount in memory .* acct_default, found 993000, expected 99/m,
    );
  });

  test('it prints each violation on its own line and fails', async () => {
    await change(fixture, 'update accounts set posted = posted + 1');
    const { code, output } = await runAudit(fixture);
    expect(code).toBe(1);
    expect(output).toMatch(/^VIOLATION Each balance .* acct_default, found 0\.993006 USD, exp/m);
    expect(output).not.toMatch(/checks passed/);
  });

  test('the audit of a store of an older version fails', async () => {
    await change(fixture, 'update schema_version set version = 11');
    const { code, errors } = await runAudit(fixture);
    expect([code, errors]).toEqual([1, expect.stringContaining('The store has schema version 11')]);
  });
});
