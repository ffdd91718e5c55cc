// Deferred settlement on SQLite: on disk when the ledger answers, and booked once.
import { expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeThread } from '../../src/app/store-thread-url.ts';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { findBalance } from '../../src/billing/store/ledger.ts';
import { requestRow } from './request-row.ts';
import {
  accountId,
  sqliteEngine,
  openLedger,
  openFundedAccount,
  openStore,
  plainHold,
  start,
} from './funded-accounts.ts';
import { amountOf } from '../amount-of.ts';

test('a settlement is on disk when the ledger answers, and the next process books it', async () => {
  await using store = await openStore(sqliteEngine);
  const ledger = openLedger(store.database);
  await openFundedAccount(ledger, store.database, accountId);
  await ledger.hold({ ...plainHold, id: 'r1', amount: amountOf(30) });
  await ledger.settle(
    { id: 'r1', account_id: accountId, cost: amountOf(20) },
    { request: { ...requestRow(accountId), id: 'r1' } },
  );
  // As a kill would leave the files: no statement has followed the settlement.
  const killed = mkdtempSync(join(tmpdir(), 'trivium-killed-'));
  try {
    cpSync(String(store.settings['TRIVIUM_DATA_DIR']), killed, { recursive: true });
    const next = await openSqlite(join(killed, 'trivium.sqlite'), storeThread);
    await next.resume?.();
    expect(await findBalance(next, accountId)).toEqual({ posted: start - 20, held: 0 });
    expect(await next.run('select id, cost from requests')).toEqual([{ id: 'r1', cost: 20 }]);
    expect((await auditLedger(next)).violations).toEqual([]);
    await next.close();
  } finally {
    rmSync(killed, { recursive: true });
  }
});

test('a report sees a settlement as soon as the ledger has answered', async () => {
  await using store = await openStore(sqliteEngine);
  const ledger = openLedger(store.database);
  await openFundedAccount(ledger, store.database, accountId);
  for (let settled = 1; settled <= 10; settled += 1) {
    const id = `r${settled}`;
    await ledger.hold({ ...plainHold, id, amount: amountOf(5) });
    await ledger.settle(
      { id, account_id: accountId, cost: amountOf(5) },
      { request: { ...requestRow(accountId), id } },
    );
    const rows = await store.database.reader.run('select id from requests');
    expect(rows).toHaveLength(settled);
  }
});

test('two concurrent settlements of one request charge once', async () => {
  await using store = await openStore(sqliteEngine);
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
  await using store = await openStore(sqliteEngine);
  await store.database.defer?.({ name: 'unknown', work: async () => undefined }, []);
  const { violations } = await auditLedger(store.database);
  expect(violations).toEqual([
    'Deferred tasks can be booked: task unknown: unknown is not a task that can be deferred.',
  ]);
});
