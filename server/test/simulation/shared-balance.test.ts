// Gateways that share an account on PostgreSQL die at any statement, and the account is often near
// zero: nothing is overspent, every answer is charged once, and what dead gateways held returns.
import { expect, test } from 'bun:test';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { type Ledger, makeLedger } from '../../src/billing/ledger.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Database } from '../../src/store/database.ts';
import { amountOf } from '../amount-of.ts';
import { postgresEngine } from '../store/engines.ts';
import { makeStore } from '../store/migrated-store.ts';
import { accountId, plainHold } from '../store/funded-accounts.ts';
import { waitFor } from '../../../e2e/wait-for.ts';
import { requestRow } from '../store/request-row.ts';
import { makeFragile } from './fragile-database.ts';
import { seededRandom } from './seeded-random.ts';

const gateways = 3;
const callers = 4;
const deaths = Number(process.env['RUNS'] ?? 30);
const deathsPerStatement = 0.0007;
const topup = 800_000;
const limitMs = 180_000;

test(
  'wherever gateways die, nothing is overspent and every answer is charged once',
  async () => {
    await using store = await makeStore(postgresEngine);
    const random = seededRandom(7);
    const seen: Seen = { answered: new Map(), declined: 0, died: 0, ids: 0, covered: 0 };
    await insertAccount(store.database, { id: accountId, name: accountId }, 0);
    const life = async () => {
      while (seen.died < deaths) {
        const { database, isDead } = makeFragile(
          store.database,
          () => random() < deathsPerStatement,
        );
        const ledger = makeLedger({ database, clock: systemClock, log: makeLog('silent') });
        await ledger.open().catch(() => undefined);
        const caller = async () => {
          while (!isDead() && seen.died < deaths) {
            await act(ledger, random, seen).catch(() => undefined);
          }
        };
        await Promise.all(Array.from({ length: callers }, caller));
        if (isDead()) seen.died += 1;
        else await ledger.close().catch(() => undefined);
        await expectSound(store.database);
      }
    };
    await Promise.all(Array.from({ length: gateways }, life));
    await expectRecovered(store.database, seen);
  },
  limitMs,
);

interface Seen {
  /** What callers were told they paid, by request. */
  answered: Map<string, number>;
  declined: number;
  died: number;
  ids: number;
  /** How many were held against an allowance. */
  covered: number;
}

/** One caller: a plain request, one under a cap, or a top-up when money ran out. */
async function act(ledger: Ledger, random: () => number, seen: Seen): Promise<void> {
  seen.ids += 1;
  const id = `req_${seen.ids}`;
  const amount = 50 + Math.floor(random() * 400);
  const plain = random() < 0.9;
  const held = await ledger.hold({ ...plainHold, id, uncapped: plain, amount: amountOf(amount) });
  if (held.kind === 'declined') {
    seen.declined += 1;
    const entry = { id: `top_${id}`, account_id: accountId, amount: topup, reason: 'more' };
    if (random() < 0.05) await ledger.topup(entry);
    return;
  }
  if (held.kind !== 'held') return;
  if (ledger.reserved(accountId) > 0) seen.covered += 1;
  if (random() < 0.1) {
    await ledger.release({ id, account_id: accountId });
    return;
  }
  const cost = Math.floor(random() * amount);
  const settled = await ledger.settle(
    { id, account_id: accountId, cost: amountOf(cost) },
    { request: { ...requestRow(accountId), id } },
  );
  if (settled.kind === 'settled') seen.answered.set(id, settled.cost);
}

async function expectSound(database: Database): Promise<void> {
  const { totals, violations } = await auditLedger(database);
  expect(violations).toEqual([]);
  expect(totals.posted - totals.held).toBeGreaterThanOrEqual(0);
}

/** A last gateway books what the dead ones journaled, and returns what they held in memory. */
async function expectRecovered(database: Database, seen: Seen): Promise<void> {
  const last = makeLedger({ database, clock: systemClock, log: makeLog('silent') });
  await last.open();
  const isDone = async () => {
    const [row] = await database.run(
      `select (select count(*) from allowances) as allowances,
         (select count(*) from gateways) as gateways`,
    );
    return Number(row?.['allowances']) === 0 && Number(row?.['gateways']) === 1;
  };
  await waitFor(isDone, { what: 'everything is booked', limitMs: limitMs / 4 });
  await last.close();
  await expectSound(database);
  const rows = await database.run("select id, amount from transfers where kind = 'settle'");
  const charged = new Map(rows.map((row) => [String(row['id']), -Number(row['amount'])]));
  const wrong = [...seen.answered].filter(([id, cost]) => charged.get(id) !== cost);
  expect(wrong).toEqual([]);
  expect(seen.answered.size).toBeGreaterThan(500);
  expect(seen.declined).toBeGreaterThan(0);
  expect(seen.covered).toBeGreaterThan(200);
  process.stdout.write(
    `${seen.died} deaths, ${seen.answered.size} answers, ${charged.size} charges, ` +
      `${seen.covered} against allowances, ${seen.declined} declined\n`,
  );
}
