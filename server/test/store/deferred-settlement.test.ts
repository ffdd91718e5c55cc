// Deferred settlement on SQLite: on disk when the ledger answers, and booked once.
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
import { accountId, openLedger, openFundedAccount, plainHold, start } from './funded-accounts.ts';
import { amountOf } from '../amount-of.ts';

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

test('the audit reports a task that could not be booked', async () => {
  await using store = await makeStore(sqliteEngine);
  await store.database.defer?.({ name: 'unknown', work: async () => undefined }, []);
  const { violations } = await auditLedger(store.database);
  expect(violations).toEqual([
    'Deferred tasks can be booked: task unknown: unknown is not a task that can be deferred.',
  ]);
});
