// The journal: a batch whose money is guaranteed is one row, which is on disk before the answers
// are sent. It is booked later, many rows in one transaction. On SQLite the store's thread books
// its own journal; on PostgreSQL any gateway books the rows of all gateways.
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { happens } from '../platform/fault-points.ts';
import { newId } from '../platform/ids.ts';
import { isTaken, storeTrouble } from '../platform/store-trouble.ts';
import type { Database, FailedTask, Runner } from '../store/index.ts';
import { joinBatches } from './book-batch.ts';
import type { BatchTask } from './book-batch.ts';
import type { Posting } from './posting.ts';
import {
  appendJournal,
  deleteJournal,
  findJournal,
  findJournalRow,
  hasJournal,
  lockBooking,
  markJournal,
} from './store/journal.ts';

export interface Journal {
  /**
   * Resolves when the batch is on disk. Resolves to false, with nothing written, if this gateway
   * was removed.
   */
  append: (batch: readonly Posting[], now: number) => Promise<boolean>;
  /** Books everything in the journal, so that readers see it. */
  bookAll: () => Promise<void>;
  /** Stops booking in the background. */
  stop: () => void;
}

export function makeSqliteJournal(database: Database, task: BatchTask): Journal {
  const { defer } = database;
  if (!defer) throw new Error('this store has no journal of its own');
  return {
    append: async (batch, now) => {
      await defer(task, { batch, context: { now } });
      return true;
    },
    // The thread books before it runs any other statement.
    bookAll: () => Promise.resolve(),
    stop: () => undefined,
  };
}

interface PostgresJournalDependencies {
  database: Database;
  task: BatchTask;
  clock: Clock;
  log: Log;
  /** How many gateways run. One of them is enough to book. */
  countGateways: () => number;
  /** Undefined while this gateway is not registered. */
  gatewayId: () => string | undefined;
  /** Called once for each row that cannot be booked. */
  onFailed: (failed: FailedTask) => void;
}

/** The pause before a round of booking, multiplied by the number of running gateways. */
const delayMs = 50;
const maxDelayMs = 250;
const retryDelayMs = 1000;
const rowsPerRound = 32;

export function makePostgresJournal(dependencies: PostgresJournalDependencies): Journal {
  const { database, task, clock, log, gatewayId, countGateways } = dependencies;
  // A batch that is repeated after a lost connection keeps its id.
  const ids = new WeakMap<readonly Posting[], string>();
  const stopping = new AbortController();
  let isAdded = false;
  let booking: Promise<void> | undefined;
  const bookSoon = async () => {
    const usualPauseMs = () => Math.min(maxDelayMs, delayMs * countGateways());
    let pauseMs = usualPauseMs();
    while (isAdded) {
      await clock.sleep(pauseMs, stopping.signal);
      isAdded = false;
      try {
        const booked = await bookRound(dependencies, false);
        pauseMs = booked === rowsPerRound ? 0 : usualPauseMs();
        isAdded ||= booked === undefined || booked === rowsPerRound;
      } catch (error) {
        log.warn({ err: error }, 'the journal could not be booked; the next round tries again');
        pauseMs = retryDelayMs;
        isAdded = true;
      }
    }
  };
  const startBooking = () => {
    isAdded = true;
    booking ??= bookSoon()
      .catch(() => undefined)
      .finally(() => (booking = undefined));
  };
  return {
    append: async (batch, now) => {
      const gateway = gatewayId();
      if (gateway === undefined) return false;
      const id = ids.get(batch) ?? newId('jrn');
      ids.set(batch, id);
      const input = JSON.stringify({ batch, context: { now } });
      const row = { id, task: task.name, input, gateway_id: gateway, created_at: now };
      const appended = await appendJournal(database, row);
      startBooking();
      return appended;
    },
    bookAll: async () => {
      if (!(await hasJournal(database))) return;
      while ((await bookRound(dependencies, true)) === rowsPerRound);
    },
    stop: () => stopping.abort(),
  };
}

/** Returns how many rows were booked. Undefined if another gateway is booking. */
async function bookRound(
  dependencies: PostgresJournalDependencies,
  wait: boolean,
): Promise<number | undefined> {
  const next = (repeated: boolean) => bookRows(dependencies, { wait, repeated });
  try {
    return await next(false).catch((error: unknown) => {
      if (!(error instanceof RowsFailed) || !isTaken(error.cause)) throw error;
      // A row was added twice, because the outcome of the first attempt was unknown.
      return next(true);
    });
  } catch (error) {
    if (!(error instanceof RowsFailed)) throw error;
    // One faulty row must not fail the others.
    for (const id of error.rows) await bookAlone(dependencies, id);
    return error.rows.length;
  }
}

/**
 * Names the rows of a failed transaction, because other gateways may have booked the rows after
 * them.
 */
class RowsFailed extends Error {
  constructor(
    readonly rows: readonly string[],
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

interface BookingRound {
  wait: boolean;
  repeated: boolean;
  /** If set, books only this row. */
  id?: string;
}

function bookRows(
  { database, task }: PostgresJournalDependencies,
  { wait, repeated, id: only }: BookingRound,
): Promise<number | undefined> {
  const work = async (tx: Runner) => {
    if (!(await lockBooking(tx, wait))) return undefined;
    const rows = await (only === undefined
      ? findJournal(tx, task.name, rowsPerRound)
      : findJournalRow(tx, only));
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    try {
      if (rows.length > 1 && happens('journal_group_fails')) throw new Error('made to fail');
      const inputs = rows.map(({ input }): unknown => JSON.parse(input));
      const { batch, context } = joinBatches(inputs);
      await task.work(tx, { batch, context: { ...context, repeated } });
    } catch (error) {
      throw storeTrouble(error) ? error : new RowsFailed(ids, error);
    }
    await deleteJournal(tx, ids);
    return rows.length;
  };
  return database.perform({ name: 'book journal', work }, undefined, true);
}

/** A row that fails on its own keeps the reason, unless another gateway has booked or marked it. */
async function bookAlone(dependencies: PostgresJournalDependencies, id: string): Promise<void> {
  const { database, task, onFailed } = dependencies;
  try {
    await bookRows(dependencies, { wait: true, repeated: true, id });
  } catch (error) {
    if (!(error instanceof RowsFailed)) throw error;
    const reason = error.message;
    if (await markJournal(database, id, reason)) onFailed({ row: id, task: task.name, reason });
  }
}
