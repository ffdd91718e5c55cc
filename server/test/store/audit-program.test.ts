// The audit as operators run it: what it prints, how it ends, what a running gateway adds to it.
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { MemoryAudit } from '@trivium/contract';
import { admin_token } from '../gateway.ts';
import type { TestGateway } from '../gateway.ts';
import { engines } from './engines.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';
import { embedded } from './purses.ts';

const program = join(import.meta.dir, '..', '..', 'src', 'audit.ts');

async function runAudit({ bench }: Place, args: readonly string[] = [], env = {}) {
  const child = Bun.spawn([process.execPath, '--no-env-file', program, ...args], {
    env: {
      PATH: process.env['PATH'],
      TRIVIUM_ADMIN_TOKEN: admin_token,
      ...bench.settings,
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
  const headers = { authorization: `Bearer ${admin_token}` };
  return MemoryAudit.parse(await (await gateway.ask('GET', '/admin/v1/audit', { headers })).json());
}

async function change({ bench }: Place, ...statements: string[]): Promise<void> {
  const database = await bench.another();
  for (const statement of statements) await database.run(statement);
  await database.close();
}

describe.each(engines)('on $name', (engine) => {
  test('it prints the sums and that all holds, of the store and of the gateway', async () => {
    await using place = await openPlace(engine, '1');
    await place.gateway.search();
    await place.gateway.ask('GET', '/v1/balance');
    const { code, output } = await runAudit(place, ['--gateway', place.gateway.url]);
    expect([code, output]).toEqual([0, expect.stringContaining('-0.007000 USD')]);
    expect(output).toMatch(/All \d+ checks hold\.\nMemory of http:\S+\n.*\nIt agrees with the s/);
    expect(output).not.toContain('VIOLATION');
  });

  test('it prints each violation on a line of its own and fails', async () => {
    await using place = await openPlace(engine, '1');
    await change(place, 'update accounts set posted = posted + 1');
    const { code, output } = await runAudit(place);
    expect(code).toBe(1);
    expect(output).toMatch(/^VIOLATION Each balance .* acct_default, found 1\.000001 USD, exp/m);
    expect(output).not.toMatch(/checks hold/);
  });

  test('a store of an older version is not called right', async () => {
    await using place = await openPlace(engine, '1');
    await change(place, 'update schema_version set version = 11');
    const { code, errors } = await runAudit(place);
    expect([code, errors]).toEqual([1, expect.stringContaining('The store is of version 11')]);
  });

  test('a gateway that cannot be asked is no gateway that agrees', async () => {
    await using place = await openPlace(engine, '1');
    const ways: [string[], Record<string, string>, string][] = [
      [['--gateway', 'http://127.0.0.1:1'], {}, 'could not be asked'],
      [['--gateway', place.gateway.url], { TRIVIUM_ADMIN_TOKEN: 'x'.repeat(40) }, 'answered 401'],
      [['--gateway', place.gateway.url], { TRIVIUM_ADMIN_TOKEN: '' }, 'TRIVIUM_ADMIN_TOKEN'],
      [['--gateway'], {}, 'Use: audit'],
      [['--something', place.gateway.url], {}, 'Use: audit'],
    ];
    for (const [args, env, told] of ways) {
      const { code, errors } = await runAudit(place, args, env);
      expect([args, code, errors]).toEqual([args, 1, expect.stringContaining(told)]);
    }
  });

  test('memory and store agree at any moment while requests run', async () => {
    await using place = await openPlace(engine, '1');
    let running = true;
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let at = 0; at < 15; at += 1) await place.gateway.search();
      }),
    ).finally(() => (running = false));
    const found: MemoryAudit[] = [];
    while (running) found.push(await memoryOf(place.gateway));
    await load;
    found.push(await memoryOf(place.gateway));
    expect(found.flatMap(({ violations }) => violations)).toEqual([]);
    const inMemory = engine.name === 'SQLite' ? 1 : 0;
    expect(found.at(-1)).toMatchObject({ accounts: inMemory, reserved_usd: 0 });
  });
});

test('books that changed behind the back of a gateway are told as a violation', async () => {
  if (!embedded) throw new Error('There is no SQLite to test on.');
  await using place = await openPlace(embedded, '1');
  await place.gateway.search();
  await change(
    place,
    'update accounts set posted = posted + 5',
    `insert into transfers (id, kind, account_id, amount, created_at)
     values ('top_x', 'topup', 'acct_default', 5, 1)`,
  );
  const { code, output } = await runAudit(place, ['--gateway', place.gateway.url]);
  expect([code, output]).toEqual([1, expect.stringMatching(/All \d+ checks hold\./)]);
  expect(output).toMatch(
    /^VIOLATION What memory knows .* acct_default, found 993000, expected 99/m,
  );
});

test('only an operator may ask', async () => {
  if (!embedded) throw new Error('There is no SQLite to test on.');
  await using place = await openPlace(embedded, '1');
  expect((await place.gateway.ask('GET', '/admin/v1/audit')).status).toBe(401);
});
