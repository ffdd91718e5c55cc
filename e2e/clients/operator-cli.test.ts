// The operator's command line against a real gateway.
import { expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from '../../cli/src/run-cli.ts';
import { sharedGateway } from '../harness.ts';
import { makeWav } from '../uploads/recordings.ts';
import { waitFor } from '../wait-for.ts';

const adminToken = 'operator-token-of-the-command-line-tests';
const gateway = sharedGateway({ env: { TRIVIUM_ADMIN_TOKEN: adminToken } });

function run(args: readonly string[], terminal = false) {
  const env = { TRIVIUM_API_KEY: gateway().key, TRIVIUM_ADMIN_TOKEN: adminToken, NO_COLOR: '1' };
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
  expect((await run(['budgets', 'delete', 'team=blue'], true)).out).toContain('team=blue');
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

test('a key is rotated and revoked, and each answer is the key itself', async () => {
  const made = await read('keys', 'create', 'rotated');
  const id = String(made['id']);
  const rotated = await read('keys', 'rotate', id, '--overlap-hours', '48');
  expect(rotated['key']).toMatch(/^sk_test_/);
  expect(rotated['key']).not.toBe(made['key']);
  const works = async (key: unknown) =>
    (await gateway().get('/v1/balance', { authorization: `Bearer ${String(key)}` })).status;
  expect([await works(made['key']), await works(rotated['key'])]).toEqual([200, 200]);
  expect(await read('keys', 'end-overlap', id, '--yes')).toMatchObject({ id });
  expect([await works(made['key']), await works(rotated['key'])]).toEqual([401, 200]);
  expect(await read('keys', 'revoke', id, '--yes')).toMatchObject({ id });
  expect(await works(rotated['key'])).toBe(401);
  const { keys } = (await read('keys')) as { keys: { id: string }[] };
  expect(keys.map((one) => one.id)).toContain(id);
});

test('a request is estimated, made, found in the log, and refunded', async () => {
  const estimate = await read('estimate', 'search', 'a', 'refund', '-p', 'exa', '-n', '3');
  expect(estimate).toMatchObject({ tool: 'search', provider: 'engine_a' });
  const found = await read('search', 'a', 'refund', '-p', 'exa', '-n', '3');
  const answerId = String(found['id']);
  const request = await read('requests', 'get', answerId);
  expect(request).toMatchObject({ answer_id: answerId, asked: 'a refund', outcome: 'served' });
  const id = String(request['id']);
  const list = await read('requests', 'list', '--text', 'a refund', '--tool', 'search');
  expect(list).toMatchObject({ requests: [{ id }] });
  const logged = await run(['logs', '--text', 'a refund', '--json']);
  expect(JSON.parse(logged.out)).toMatchObject({ id });
  const line = await read('refund', id, '--reason', 'a test');
  expect(line).toMatchObject({ kind: 'refund', amount_usd: request['cost_usd'] });
  const transfers = await read('transfers', '--kind', 'refund', '--limit', '1');
  expect(transfers).toMatchObject({ transfers: [{ id: line['id'] }] });
  for (const noun of ['requests', 'transfers', 'logs']) {
    expect((await run([noun, '--limit', '3'], true)).out).toMatch(/^20\S+Z /m);
  }
  expect((await run(['requests', 'get', answerId], true)).out).toContain('call 1');
  const hours = await run(['estimate', 'transcription', 'https://a.example/x.wav'], true);
  expect(hours.out).toContain('an hour');
});

test('logs --follow prints each new request once, until it is interrupted', async () => {
  const stop = new AbortController();
  let out = '';
  const env = { TRIVIUM_API_KEY: gateway().key, TRIVIUM_ADMIN_TOKEN: adminToken };
  const following = runHere(['logs', '-f', '--limit', '1', '--json'], gateway(), env, {
    signal: stop.signal,
    out: (text) => void (out += text),
  });
  const asked = () =>
    out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { asked: string }).asked)
      .filter((text) => text.startsWith('followed'));
  await waitFor(() => out, { what: 'the first line', until: (text) => text !== '' });
  for (const name of ['followed 1', 'followed 2', 'followed 3']) await read('search', name);
  await waitFor(asked, { what: 'three new lines', until: (lines) => lines.length >= 3 });
  await read('search', 'followed 4');
  await waitFor(asked, { what: 'one more line', until: (lines) => lines.length >= 4 });
  expect(asked()).toEqual(['followed 1', 'followed 2', 'followed 3', 'followed 4']);
  stop.abort(new Error('SIGINT'));
  expect((await following).code).toBe(130);
});

test('an invitation is made, listed and deleted; an upload too', async () => {
  const made = await read('invitations', 'create', 'Ada', '--account', 'acct_default');
  expect(made['url']).toBe(`${gateway().url}/join#${String(made['token'])}`);
  const listed = async () =>
    ((await read('invitations')) as { invitations: { id: string }[] }).invitations.map(
      ({ id }) => id,
    );
  expect(await listed()).toContain(String(made['id']));
  expect(await read('invitations', 'delete', String(made['id']))).toMatchObject({ label: 'Ada' });
  expect(await listed()).not.toContain(String(made['id']));

  const file = join(tmpdir(), `trivium-cli-${process.pid}.wav`);
  await Bun.write(file, makeWav(4000));
  try {
    const { code, out } = await run(['uploads', 'create', file]);
    const upload = JSON.parse(out) as { id: string };
    expect([code, upload.id]).toEqual([0, expect.stringMatching(/^upl_/)]);
    expect(await read('uploads', 'get', upload.id)).toMatchObject({ id: upload.id });
    expect(await read('uploads', 'delete', upload.id, '--yes')).toMatchObject({ id: upload.id });
    expect((await run(['uploads', 'get', upload.id])).err).toContain('There is no upload');
  } finally {
    await rm(file, { force: true });
  }
});

test('whoami says which gateway and key are used, and never the whole key', async () => {
  const me = await read('whoami');
  expect(me).toMatchObject({
    ...{ url: gateway().url, url_from: 'TRIVIUM_URL', key_from: 'TRIVIUM_API_KEY' },
    ...{ mode: 'sandbox', has_operator_token: true, balance_usd: expect.any(Number) },
  });
  expect(JSON.stringify(me)).not.toContain(gateway().key);
  expect((await run(['whoami'], true)).out).toMatch(/gateway +http/);
});

test.each([
  ['search', 'heat pumps'],
  ['extract', 'https://www.sunstore.example/support/islanding'],
])('%s accepts an answer from the cache', async (tool, subject) => {
  const first = await run([tool, subject, '--cache', '600'], true);
  expect(first.err).toMatch(/ ms, cache: miss\n$/);
  const second = await run([tool, subject, '--cache', '600'], true);
  expect(second.err).toMatch(/ ms, cache: hit; age=\d+\n$/);
  expect(second.out).toBe(first.out);
  expect((await run([tool, subject], true)).err).toMatch(/ ms\n$/);
});
