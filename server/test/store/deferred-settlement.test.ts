// Deferred settlement on SQLite: on disk when the ledger answers, and booked once, also at the start
// of the next version.
import { expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeThread } from '../../src/app/store-thread-url.ts';
import {
  copyStore,
  openSqlite,
  openSqliteReadOnly,
  readUnbooked,
} from '../../src/store/opening.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { findBalance } from '../../src/billing/store/ledger.ts';
import { requestRow } from './request-row.ts';
import { sqliteEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { accountId, openFundedAccount, openLedger, plainHold, start } from './funded-accounts.ts';
import { amountOf } from '../amount-of.ts';
import { storeFileIn } from '../../src/store/sqlite/data-dir.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { openStore } from '../../src/store/open.ts';

test('a settlement is on disk when the ledger answers: the next start, a backup and the audit read it', async () => {
  await using store = await makeStore(sqliteEngine);
  const ledger = openLedger(store.database);
  await openFundedAccount(ledger, store.database, accountId);
  await ledger.hold({ ...plainHold, id: 'r1', amount: amountOf(30) });
  await ledger.settle(
    { id: 'r1', account_id: accountId, cost: amountOf(20) },
    { request: { ...requestRow(accountId), id: 'r1' } },
  );
  // As a kill would leave the files: no statement has followed the settlement.
  using folders = new DisposableStack();
  const [killed = '', backup = ''] = ['killed', 'backup'].map((name) => {
    const made = mkdtempSync(join(tmpdir(), `trivium-${name}-`));
    folders.defer(() => rmSync(made, { recursive: true }));
    return made;
  });
  const dataDir = String(store.settings['TRIVIUM_DATA_DIR']);
  copyStore(dataDir, backup);
  cpSync(dataDir, killed, { recursive: true });
  const file = join(killed, 'trivium.sqlite');

  const reader = await openSqliteReadOnly(file, storeThread);
  const readJournal = () => readUnbooked(file);
  expect((await auditLedger(reader, { readJournal, now: Date.now() })).violations).toEqual([]);
  const late = await auditLedger(reader, { readJournal, now: Date.now() + 61_000 });
  expect(late.violations).toEqual([expect.stringMatching(/request r1, .* waiting since/)]);
  const journal = readFileSync(`${file}.journal`);
  truncateSync(`${file}.journal`, 100);
  expect((await auditLedger(reader, { readJournal })).violations).toEqual([
    'The journal has all that was acknowledged: its journal cannot be used: it was truncated.',
  ]);
  await reader.close();
  const refused = await openSqlite(file, storeThread);
  expect(await refused.resume?.().catch(String)).toContain('it was truncated');
  await refused.close();
  writeFileSync(`${file}.journal`, journal);

  for (const folder of [killed, backup, killed]) {
    const next = await openSqlite(join(folder, 'trivium.sqlite'), storeThread);
    await next.resume?.();
    expect(await findBalance(next, accountId)).toEqual({ posted: start - 20, held: 0 });
    expect(await next.run('select id, cost from requests')).toEqual([{ id: 'r1', cost: 20 }]);
    expect((await auditLedger(next)).violations).toEqual([]);
    await next.close();
  }
});

test('a report sees a settlement as soon as the ledger has answered', async () => {
  await using store = await makeStore(sqliteEngine);
  const ledger = openLedger(store.database);
  await openFundedAccount(ledger, store.database, accountId);
  for (let settled = 1; settled <= 10; settled += 1) {
    const id = `r${settled}`;
    await ledger.hold({ ...plainHold, id, amount: amountOf(5) });
    const settling = ledger.settle(
      { id, account_id: accountId, cost: amountOf(5) },
      { request: { ...requestRow(accountId), id } },
    );
    // A report that begins meanwhile must not count as one that has seen it.
    await Promise.all([settling, store.database.reader.run('select id from requests')]);
    const rows = await store.database.reader.run('select id from requests');
    expect(rows).toHaveLength(settled);
  }
});

test('two concurrent settlements of one request charge once', async () => {
  await using store = await makeStore(sqliteEngine);
  const ledger = openLedger(store.database);
  await openFundedAccount(ledger, store.database, accountId);
  await ledger.hold({ ...plainHold, id: 'r1', amount: amountOf(30) });
  const settle = () => ledger.settle({ id: 'r1', account_id: accountId, cost: amountOf(30) });
  const [first, second] = await Promise.all([settle(), settle()]);
  expect([first, second]).toMatchObject([{ again: false }, { again: true }]);
  expect(await findBalance(store.database, accountId)).toEqual({ posted: 70, held: 0 });
  expect((await auditLedger(store.database)).violations).toEqual([]);
});

test('the audit reports tasks that could not be booked, and says that there may be more', async () => {
  await using store = await makeStore(sqliteEngine);
  const fault =
    'Deferred tasks can be booked: task unknown: unknown is not a task that can be deferred.';
  for (const [count, listed] of [
    [1, [fault]],
    [100, Array<string>(100).fill(fault)],
    [101, [...Array<string>(100).fill(fault), expect.stringContaining('more than these 100')]],
  ] as const) {
    const rows = await store.database.run('select 1 from deferred');
    for (let at = rows.length; at < count; at += 1) {
      await store.database.defer?.({ name: 'unknown', work: async () => undefined }, []);
    }
    expect((await auditLedger(store.database)).violations).toEqual([...listed]);
  }
});

const now = new Date('2026-11-16T12:00:00Z');
const previous = migrations.filter(({ version }) => version <= 41);

const request = (id: string) =>
  `{"account_id":"acct_1","key_id":"key_1","tool":"search","provider":"engine_a","status":200,` +
  `"error_type":null,"warnings":0,"cost":0,"reported_cost":null,"latency_ms":1,"created_at":0,` +
  `"id":"${id}","paid_by":"settle","delivered":3}`;
const posting = (id: string, cost: number) =>
  `{"request":${request(id)},"account_id":"acct_1","entry":{"id":"${id}","account_id":"acct_1",` +
  `"cost":${cost},"may_exceed":false,"kind":"settle","reserved":{"account_id":"acct_1",` +
  `"key_id":"key_1","amount":30,"created_at":1794852153059,"expires_at":1794852213059}}}`;

/** Byte for byte as the previous version writes it, except for the ids and costs. */
const written = (id: string, cost: number) =>
  `{"batch":[${posting(id, cost)}],"occasion":{"now":1794852153068}}`;
const writtenNow = (id: string, cost: number) =>
  `{"batch":[${posting(id, cost)}],"context":{"now":1794852153070}}`;

test.each([
  ['of the previous version', [written('r1', 20), written('r2', 5)]],
  ['of both versions', [written('r1', 20), writtenNow('r2', 5)]],
])('settlements %s are booked at start', async (_, inputs) => {
  const dir = mkdtempSync(join(tmpdir(), 'trivium-upgrade-'));
  try {
    await prepareStore(storeFileIn(dir), inputs);
    const failed: unknown[] = [];
    const settings = readSettings({ TRIVIUM_DATA_DIR: dir, TRIVIUM_SANDBOX: 'off' }, []);
    const { database, close } = await openStore(settings, storeThread, now, (task) =>
      failed.push(task),
    );
    expect(failed).toEqual([]);
    expect(await findBalance(database, 'acct_1')).toEqual({ posted: 75, held: 0 });
    expect(await database.run('select id, cost from requests order by id')).toEqual([
      { id: 'r1', cost: 20 },
      { id: 'r2', cost: 5 },
    ]);
    expect(await database.run('select task from deferred')).toEqual([]);
    expect((await auditLedger(database, { now: now.getTime() })).violations).toEqual([]);
    await close();
  } finally {
    rmSync(dir, { recursive: true });
  }
});

/** A store of the previous version after a kill: a balance of 100, and settlements to book. */
async function prepareStore(file: string, inputs: readonly string[]): Promise<void> {
  const database = await openSqlite(file, storeThread);
  await migrate(database, now, previous);
  await database.run(
    "insert into accounts (id, name, created_at, posted) values ('acct_1', 'One', 0, 100)",
  );
  await database.run(
    `insert into transfers (id, kind, account_id, amount, created_at)
     values ('top_1', 'topup', 'acct_1', 100, 0)`,
  );
  for (const input of inputs) {
    await database.run(
      "insert into deferred (task, input, created_at) values ('post', $1, 1794852153069)",
      [input],
    );
  }
  await database.close();
}
