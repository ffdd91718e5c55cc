// The journal: a batch whose money is guaranteed is one record, which is on disk before the answers
// are sent and is booked later with others. One interface, two writers: on SQLite a file beside the
// database (`store/sqlite/journal-file.ts`); on PostgreSQL this file, with a row of the table
// `deferred` for each batch of all gateways.
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { happens } from '../platform/fault-points.ts';
import { newId } from '../platform/ids.ts';
import { isTaken, storeTrouble } from '../platform/store-trouble.ts';
import type { Database, FailedTask, Runner } from '../store/index.ts';
import { type BatchTask, joinBatches } from './book-batch.ts';
import type { Posting } from './posting.ts';
import {
  appendToJournal,
  deleteBooked,
  findUnbooked,
  hasUnbooked,
  lockBooking,
  markUnbookable,
} from './store/journal.ts';

export interface Journal {
  /** Resolves when the batch is on disk, or to false if this gateway was removed. */
  append: (batch: readonly Posting[], now: number) => Promise<boolean>;
  /** Books everything. Absent if the store does that before it runs any other statement. */
  book?: () => Promise<void>;
}

export interface PostgresJournalDependencies {
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
const roundPauseMs = 100;
const maxRoundPauseMs = 500;
const failurePauseMs = 1000;
const rowsPerRound = 32;

export function makePostgresJournal(dependencies: PostgresJournalDependencies) {
  const { database, task, clock, log, gatewayId, countGateways } = dependencies;
  // A batch that is repeated after a lost connection keeps its id.
  const ids = new WeakMap<readonly Posting[], string>();
  const stopping = new AbortController();
  let isAdded = false;
  let booking: Promise<void> | undefined;
  const bookSoon = async () => {
    const usualPauseMs = () => Math.min(maxRoundPauseMs, roundPauseMs * countGateways());
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
        pauseMs = failurePauseMs;
        isAdded = true;
      }
    }
  };
  return {
    append: async (batch: readonly Posting[], now: number): Promise<boolean> => {
      const gateway = gatewayId();
      if (gateway === undefined) return false;
      const id = ids.get(batch) ?? newId('jrn');
      ids.set(batch, id);
      const input = JSON.stringify({ batch, context: { now } });
      const row = { id, task: task.name, input, gateway_id: gateway, created_at: now };
      const isAppended = await appendToJournal(database, row);
      isAdded = true;
      booking ??= bookSoon()
        .catch(() => undefined)
        .finally(() => (booking = undefined));
      return isAppended;
    },
    book: async (): Promise<void> => {
      if (!(await hasUnbooked(database))) return;
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
  try {
    return await bookJournal(dependencies, { wait, repeated: false }).catch((error: unknown) => {
      if (!(error instanceof RowsFailed) || !isTaken(error.cause)) throw error;
      // A row was added twice, because the outcome of the first attempt was unknown.
      return bookJournal(dependencies, { wait, repeated: true });
    });
  } catch (error) {
    if (!(error instanceof RowsFailed)) throw error;
    // One faulty row must not fail the others.
    for (const id of error.rows) await bookAlone(dependencies, id);
    return error.rows.length;
  }
}

/** A row that fails on its own keeps the reason, unless another gateway has booked or marked it. */
async function bookAlone(dependencies: PostgresJournalDependencies, id: string): Promise<void> {
  const { database, task, onFailed } = dependencies;
  try {
    await bookJournal(dependencies, { wait: true, repeated: true, id });
  } catch (error) {
    if (!(error instanceof RowsFailed)) throw error;
    const reason = error.message;
    if (await markUnbookable(database, id, reason)) onFailed({ row: id, task: task.name, reason });
  }
}

/** Names the rows that failed: other gateways may have booked the rows after them. */
class RowsFailed extends Error {
  constructor(
    readonly rows: readonly string[],
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

/** With `id`, books only this row. */
function bookJournal(
  { database, task }: PostgresJournalDependencies,
  { wait, repeated, id }: { wait: boolean; repeated: boolean; id?: string },
): Promise<number | undefined> {
  const work = async (tx: Runner) => {
    if (!(await lockBooking(tx, wait))) return undefined;
    const rows = await findUnbooked(
      tx,
      id === undefined ? { task: task.name } : { id },
      rowsPerRound,
    );
    if (rows.length === 0) return 0;
    const ids = rows.map((row) => row.id);
    try {
      if (rows.length > 1 && happens('journal_group_fails')) throw new Error('made to fail');
      const inputs = rows.map(({ input }): unknown => JSON.parse(input));
      const { batch, context } = joinBatches(inputs);
      await task.work(tx, { batch, context: { ...context, repeated } });
    } catch (error) {
      throw storeTrouble(error) ? error : new RowsFailed(ids, error);
    }
    await deleteBooked(tx, ids);
    return rows.length;
  };
  return database.perform({ name: 'book journal', work }, undefined, true);
}
