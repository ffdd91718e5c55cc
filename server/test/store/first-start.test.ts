// The first start and the first operator on both engines: each is created completely, or not at
// all.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSandboxIsMeant } from '../../src/accounts/first-start.ts';
import { join as joinAs, prepareSetUp } from '../../src/accounts/people/invitations.ts';
import { prepareRows } from '../../src/app/prepare-rows.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { providers } from '../../src/providers/registry.ts';
import { accountsContext } from './accounts-context.ts';
import { engines } from './engines.ts';
import { halfMade } from './failing-writes.ts';
import { makeStore } from './migrated-store.ts';

const secret = 's'.repeat(40);
const env = { TRIVIUM_SANDBOX: 'off', EXA_API_KEY: 'x', TRIVIUM_BOOTSTRAP_BALANCE_USD: '5' };
const signIn = { hashPassword: (password: string) => Promise.resolve(`hash of ${password}`) };
const person = { name: 'Ada', email: 'Ada@example.org', password: 'correct horse battery' };

describe.each(engines)('on $name', (engine) => {
  test('a first start that fails leaves no key or token that was not shown', async () => {
    await using store = await makeStore(engine);
    const settings = readSettings(env, Object.values(providers));
    let shown: Awaited<ReturnType<typeof prepareRows>> | undefined;
    const made = await halfMade(store.database, async (failing) => {
      shown = await prepareRows(failing, settings, secret, new Date(1));
    });
    expect(made.leftRows).toEqual([]);
    expect(made.statements).toBeGreaterThan(10);
    expect(shown).toMatchObject({
      newKey: expect.stringMatching(/^sk_/) as string,
      newOperatorToken: expect.stringMatching(/^op_/) as string,
    });
    const again = await prepareRows(store.database, settings, secret, new Date(2));
    expect(again).toEqual({ newOperatorToken: undefined });
  });

  test('the first operator is created completely, or the link stays valid', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const context = accountsContext(database, systemClock);
    const prepared = await halfMade(database, (failing) =>
      prepareSetUp({ ...context, database: failing }, secret),
    );
    expect(prepared.leftRows).toEqual([]);
    const token = (await prepareSetUp(context, secret)) ?? '';
    const made = await halfMade(database, (failing) =>
      joinAs({ ...context, database: failing }, signIn, { token, ...person }, '192.0.2.1'),
    );
    expect(made.leftRows).toEqual([]);
    expect(made.statements).toBeGreaterThan(3);
    const people = await database.run(
      `select p.email, p.role, c.password from people p join credentials c on c.person_id = p.id`,
    );
    const password = 'hash of correct horse battery';
    expect(people).toEqual([{ email: 'ada@example.org', role: 'operator', password }]);
    expect(await prepareSetUp(context, secret)).toBeUndefined();
    const again = joinAs(context, signIn, { token, ...person }, '');
    expect(await again.catch((error: Error) => error.message)).toContain('was used');
  });

  test('joining twice at the same time with one link or one address creates one person', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const context = accountsContext(database, systemClock);
    const token = (await prepareSetUp(context, secret)) ?? '';
    const emails = ['one@example.org', 'two@example.org', 'three@example.org'];
    const joined = await Promise.allSettled(
      emails.map((email) => joinAs(context, signIn, { token, ...person, email }, '')),
    );
    expect(joined.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await database.run('select id from people')).toHaveLength(1);
    expect(await database.run('select id from credentials')).toHaveLength(1);
  });
});

describe('simulated vendors', () => {
  const live = mkdtempSync(join(tmpdir(), 'trivium-live-'));
  writeFileSync(join(live, 'trivium.sqlite'), '');
  afterAll(() => rmSync(live, { recursive: true }));
  const auto = {
    sandbox: 'auto',
    mode: 'sandbox',
    configured_dir: live,
    data_dir: `${live}/sandbox`,
  };
  test.each([
    [{}, false],
    [{ sandbox: 'on' }, true],
    [{ mode: 'live' }, true],
    [{ database_url: 'postgres://x' }, true],
    [{ configured_dir: `${live}/new` }, true],
  ] as const)('of a gateway with %o beside a live store', (change, mayStart) => {
    const settings = { ...auto, ...change } as Parameters<typeof checkSandboxIsMeant>[0];
    const check = () => checkSandboxIsMeant(settings);
    if (mayStart) expect(check).not.toThrow();
    else expect(check).toThrow('is a live store');
  });
});
