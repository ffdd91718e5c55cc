// Settles that are put off on SQLite: on disk when they are answered, and booked once.
import { expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../src/platform/sqlite.ts';
import { auditLedger } from '../../src/services/audit-ledger.ts';
import { findBalance } from '../../src/store/accounts.ts';
import { loggedRow } from './logged-row.ts';
import { account_id, embedded, openLedger, openPurse, openStore, quick, start } from './purses.ts';
import { amountOf } from '../amount-of.ts';

test('a settle is on disk when it is answered, and the next process books it', async () => {
  await using store = await openStore(embedded);
  const ledger = openLedger(store.database);
  await openPurse(ledger, store.database, account_id);
  await ledger.hold({ ...quick, id: 'r1', amount: amountOf(30) });
  await ledger.settle(
    { id: 'r1', account_id, cost: amountOf(20) },
    { request: { ...loggedRow(account_id), id: 'r1' } },
  );
  // As a kill would leave them: nobody has asked the store for anything since.
  const left = mkdtempSync(join(tmpdir(), 'trivium-left-'));
  try {
    cpSync(String(store.settings['TRIVIUM_DATA_DIR']), left, { recursive: true });
    const next = await openSqlite(join(left, 'trivium.sqlite'));
    await next.resume?.();
    expect(await findBalance(next, account_id)).toEqual({ posted: start - 20, held: 0 });
    expect(await next.run('select id, cost from requests')).toEqual([{ id: 'r1', cost: 20 }]);
    expect((await auditLedger(next)).violations).toEqual([]);
    await next.close();
  } finally {
    rmSync(left, { recursive: true });
  }
});

test('a settle asked for twice at once charges once', async () => {
  await using store = await openStore(embedded);
  const ledger = openLedger(store.database);
  await openPurse(ledger, store.database, account_id);
  await ledger.hold({ ...quick, id: 'r1', amount: amountOf(30) });
  const settle = () => ledger.settle({ id: 'r1', account_id, cost: amountOf(30) });
  const [first, second] = await Promise.all([settle(), settle()]);
  expect([first, second]).toMatchObject([{ again: false }, { again: true }]);
  expect(await findBalance(store.database, account_id)).toEqual({ posted: 70, held: 0 });
  expect((await auditLedger(store.database)).violations).toEqual([]);
});

test('work that could not be booked is told by the audit', async () => {
  await using store = await openStore(embedded);
  await store.database.defer?.({ name: 'unheard_of', work: async () => undefined }, []);
  const { violations } = await auditLedger(store.database);
  expect(violations).toEqual([
    'What was deferred can be booked: task unheard_of: unheard_of is no task that can be put off.',
  ]);
});
