// Funding on PostgreSQL: several gateways share the balances, and each holds against its
// allowances.
import type { Reservations } from '../core/reservations.ts';
import { every, type Repeated } from '../../platform/every.ts';
import { type Allowances, makeAllowances } from './allowances.ts';
import { bookBatch } from '../book-batch.ts';
import type { Funding } from '../funding.ts';
import { beatMs, makeGatewayBeats } from './gateway-beats.ts';
import { type Journal, makePostgresJournal, type PostgresJournalDependencies } from '../journal.ts';
import type { Posting } from '../posting.ts';
import type { DueHold } from '../store/ledger.ts';

interface SharedBalanceDependencies extends Omit<
  PostgresJournalDependencies,
  'gatewayId' | 'countGateways'
> {
  reservations: Reservations;
}

const returnEveryMs = 200;
/** With this pace, all gateways together commit about as often as one does. */
const paceMs = 4;
const maxPaceMs = 20;

export function makeSharedBalance(dependencies: SharedBalanceDependencies): Funding {
  const { database, log, task } = dependencies;
  const journal = makePostgresJournal({
    ...dependencies,
    gatewayId: () => beats.id(),
    countGateways: () => beats.count(),
  });
  const release = (holds: readonly DueHold[]) => releaseAll(dependencies, holds);
  const beats = makeGatewayBeats({ ...dependencies, bookAll: journal.book, release });
  let allowances: Allowances | undefined;
  let beating: Repeated | undefined;
  let returning: Repeated | undefined;
  let isClosed = false;

  const register = async () => {
    await beats.open();
    allowances = makeAllowances({
      ...dependencies,
      gatewayId: beats.id() ?? '',
      countGateways: beats.count,
      bookAll: journal.book,
    });
  };
  /** Once another gateway has removed this one, its allowances are gone. */
  const registerAgain = async () => {
    allowances?.retire();
    allowances = undefined;
    log.warn('another gateway considered this one dead; it registers again');
    await register();
  };
  const beat = async () => {
    if (!(await beats.next()) && !isClosed) await registerAgain();
  };
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'allowances could not be maintained');
  const append: Journal['append'] = async (batch, now) => {
    const isAppended = await journal.append(batch, now);
    // Another gateway removed this one, so it registers again without waiting for the next beat.
    if (!isAppended && allowances !== undefined) beating?.runNow();
    return isAppended;
  };
  return {
    journal: { ...journal, append },
    paceMs: () => Math.min(maxPaceMs, paceMs * beats.count()),
    isOpen: () => allowances !== undefined && beats.id() !== undefined,
    gatewayId: beats.id,
    addPending: () => () => undefined,
    noteHold: (accountId, amount) => allowances?.noteHold(accountId, amount),
    noteSpent: (accountId, reserved, cost) =>
      allowances?.noteSpent(accountId, Math.min(reserved, cost)),
    noteUncertain: (accountId) => allowances?.noteUncertain(accountId),
    recallAll: (accountId) => allowances?.recallAll(accountId) ?? Promise.resolve(false),
    bookRows: async (batch, context) => (await bookBatch(database, task, batch, context)).posted,
    open: async () => {
      await register();
      await beats.next();
      beating = every(beatMs, { name: 'gateway_beat', work: beat, onError });
      const work = () => allowances?.returnUnused();
      returning = every(returnEveryMs, { name: 'allowances', work, onError });
    },
    close: async () => {
      isClosed = true;
      beating?.stop();
      returning?.stop();
      journal.stop();
      await allowances?.closeAll();
      await journal.book();
      await beats.close();
    },
    inspect: () => allowances?.inspect(),
  };
}

async function releaseAll(
  { database, clock, task }: SharedBalanceDependencies,
  holds: readonly DueHold[],
): Promise<void> {
  const batch = holds.map(({ id, account_id }): Posting => {
    return { account_id, entry: { kind: 'release', id, account_id } };
  });
  await bookBatch(database, task, batch, { now: clock.now().getTime() });
}
