// The audit command: its output, its exit code, and the check of a running gateway's memory.
import { describe, expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { MemoryAudit } from '@trivium/contract';
import { commandOf } from '../../../e2e/child-process.ts';
import { adminToken, type TestGateway } from '../gateway.ts';
import { engines, sqliteEngine } from './engines.ts';
import { type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';

const program = commandOf('server/src/app/commands/audit.ts');

async function runAudit({ store }: GatewayOnStore, args: readonly string[] = [], env = {}) {
  const child = Bun.spawn([...program, ...args], {
    // Without a .env file.
    cwd: tmpdir(),
    env: {
      PATH: process.env['PATH'],
      TRIVIUM_ADMIN_TOKEN: adminToken,
      ...store.settings,
      ...env,
    },
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

// What the audit finds in the store is tested on both engines in audit.test.ts.
describe('on a store with faults', () => {
  const open = () => openGatewayOnStore(sqliteEngine, '1');

  test('it prints each violation on its own line and fails', async () => {
    await using fixture = await open();
    await change(fixture, 'update accounts set posted = posted + 1');
    const { code, output } = await runAudit(fixture);
    expect(code).toBe(1);
    expect(output).toMatch(/^VIOLATION Each balance .* acct_default, found 1\.000001 USD, exp/m);
    expect(output).not.toMatch(/checks passed/);
  });

  test('the audit of a store of an older version fails', async () => {
    await using fixture = await open();
    await change(fixture, 'update schema_version set version = 11');
    const { code, errors } = await runAudit(fixture);
    expect([code, errors]).toEqual([1, expect.stringContaining('The store has schema version 11')]);
  });

  test('the audit of an unreachable gateway fails', async () => {
    await using fixture = await open();
    const cases: [string[], Record<string, string>, string][] = [
      [['--gateway', 'http://127.0.0.1:1'], {}, 'could not be audited'],
      [['--gateway', fixture.gateway.url], { TRIVIUM_ADMIN_TOKEN: 'x'.repeat(40) }, 'answered 401'],
      [['--gateway', fixture.gateway.url], { TRIVIUM_ADMIN_TOKEN: '' }, 'TRIVIUM_ADMIN_TOKEN'],
      [['--gateway'], {}, 'Use: audit'],
      [['--something', fixture.gateway.url], {}, 'Use: audit'],
    ];
    for (const [args, env, expected] of cases) {
      const { code, errors } = await runAudit(fixture, args, env);
      expect([args, code, errors]).toEqual([args, 1, expect.stringContaining(expected)]);
    }
  });

  test('a balance that changed without the gateway is a violation', async () => {
    await using fixture = await open();
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

  test('only an operator may read the audit of memory', async () => {
    await using fixture = await open();
    expect((await fixture.gateway.ask('GET', '/admin/v1/books')).status).toBe(401);
  });
});
