// The command line against a real gateway: the audit log, budgets, and answers from the cache.
import { expect, test } from 'bun:test';
import { runHere } from '../../sdk/src/cli/run-cli.ts';
import { sharedGateway } from '../harness.ts';

const adminToken = 'operator-token-of-the-command-line-tests';
const gateway = sharedGateway({ env: { TRIVIUM_ADMIN_TOKEN: adminToken } });

function run(args: readonly string[], terminal = false) {
  const env = {
    TRIVIUM_API_KEY: gateway().key,
    TRIVIUM_ADMIN_TOKEN: adminToken,
    NO_COLOR: '1',
  };
  const columns = 400;
  return runHere(args, gateway(), env, { outIsTerminal: terminal, columns });
}

async function read(...args: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await run(args);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as Record<string, unknown>;
}

test('budgets are set, listed, enforced and deleted', async () => {
  const set = await read('budgets', 'set', 'team=blue', '--daily-cap', '0.000001');
  expect(set).toMatchObject({ tag: 'team', value: 'blue', monthly_cap_usd: null });
  const refused = await run(['search', 'solar', '--tag', 'team=blue']);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('team=blue')]);
  const table = await run(['budgets', 'list'], true);
  expect(table.out).toMatch(/tag +today +daily cap +this month +monthly cap\n/);
  expect(table.out).toMatch(/team=blue +0\.00 +0\.000001 +0\.00 +none/);
  expect((await run(['budgets', 'delete', 'team=blue'], true)).out).toBe('team=blue deleted\n');
  expect(await read('budgets')).toEqual({ budgets: [] });
  expect((await run(['search', 'solar', '--tag', 'team=blue'])).code).toBe(0);
});

test.each([
  [['budgets', 'set', 'team=blue'], '--daily-cap'],
  [['budgets', 'set', 'team', '--daily-cap', '1'], 'team=search'],
  [['budgets', 'set', 'team=a=b', '--daily-cap', '1'], 'team=search'],
  [['budgets', 'set', 'team=blue', '--daily-cap', 'much'], '--daily-cap'],
  [['budgets', 'set'], 'trivium budgets'],
  [['budgets', 'constructor', 'team=blue'], 'trivium budgets'],
  [['audit-log', '--limit', '0'], '--limit'],
  [['audit-log', '--limit', '1.5'], '--limit'],
  [['audit-log', '--action', 'key.creatd'], 'key.created'],
  [['audit-log', '--actor', '__proto__'], '--actor'],
  [['search', 'solar', '--cache', 'long'], '--cache'],
])('%j is refused with advice', async (args, advice) => {
  const { code, err } = await run(args);
  expect([code, err]).toEqual([2, expect.stringContaining(advice)]);
});

test.each([
  [['budgets', 'set', 'team=blue', '--daily-cap', '-1'], 'daily_cap_usd'],
  [['budgets', 'list', '--account', 'acct_unknown'], 'account'],
  [['audit-log', '--from', '2026-13-01'], 'from'],
  [['search', 'solar', '--cache', '-1'], 'x-trivium-cache'],
  [['extract', 'https://a.example', '--cache', '1.5'], 'x-trivium-cache'],
])('%j is refused by the gateway', async (args, path) => {
  const { code, err } = await run(args);
  expect([code, err]).toEqual([1, expect.stringContaining(path)]);
});

test('the audit log is listed, filtered and limited', async () => {
  const account = await read('accounts', 'create', 'Audited');
  const id = String(account['id']);
  const key = await read('keys', 'create', 'laptop', '--account', id);
  await read('accounts', 'change', id, '--name', 'Audited again');
  const list = async (...args: string[]) => {
    const { entries } = (await read('audit-log', '--account', id, ...args)) as {
      entries: { action: string }[];
    };
    return entries.map(({ action }) => action);
  };
  expect(await list()).toEqual(['account.changed', 'key.created', 'account.created']);
  expect(await list('--limit', '2')).toEqual(['account.changed', 'key.created']);
  expect(await list('--action', 'key.created')).toEqual(['key.created']);
  expect(await list('--target', String(key['id']))).toEqual(['key.created']);
  expect(await list('--actor', 'person')).toEqual([]);
  expect(await list('--to', '2020-01-01')).toEqual([]);
  expect(await list('--from', '2020-01-01', '--actor', 'command_line')).toHaveLength(3);
  const table = await run(['audit-log', '--account', id], true);
  expect(table.out).toMatch(/time +actor +action +target +changes\n/);
  const changed = /command_line +account\.changed +acct_\S+ +name: "Audited" → "Audited again"/;
  expect(table.out).toMatch(changed);
  const none = await run(['audit-log', '--person', 'nobody'], true);
  expect(none.out).toBe('There are no entries.\n');
});

test.each([
  ['search', 'heat pumps'],
  ['extract', 'https://www.sunstore.example/support/islanding'],
])('%s takes an answer from the cache', async (tool, subject) => {
  const first = await run([tool, subject, '--cache', '600'], true);
  expect(first.err).toMatch(/ ms, cache: miss\n$/);
  const second = await run([tool, subject, '--cache', '600'], true);
  expect(second.err).toMatch(/ ms, cache: hit; age=\d+\n$/);
  expect(second.out).toBe(first.out);
  expect((await run([tool, subject], true)).err).toMatch(/ ms\n$/);
});
