// Rows of the request log for requests that moved no money. No caller waits for them, so many share
// one transaction, and the disk need not sync it.
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { isTaken } from '../platform/store-trouble.ts';
import { type Database, groupCommit, type Task } from '../store/index.ts';
import type { RequestRow } from './core/request-row.ts';
import { writeRequests } from './write-requests.ts';

interface LoggedRows {
  rows: readonly RequestRow[];
  repeated: boolean;
}

/** The thread of the embedded store finds the task by its name. */
export const logTask: Task<LoggedRows, null> = {
  name: 'log',
  work: async (tx, { rows, repeated }) => {
    const postings = rows.map((request) => ({ request, outcome: undefined }));
    await writeRequests(tx, postings, repeated);
    return null;
  },
};

/** How long rows wait for others. If the process is killed, waiting rows are lost. */
const gatherMs = 50;
/** As many as one statement inserts. */
const maxItems = 1024;

export function makeLogQueue(context: { database: Database; clock: Clock; log: Log }) {
  const { database, clock, log } = context;
  const write = (rows: readonly RequestRow[], repeated: boolean) =>
    database.perform(logTask, { rows, repeated }, false);
  const group = groupCommit<RequestRow, null>({
    name: 'request_log',
    clock,
    gatherMs,
    maxItems,
    isCertain: true,
    sizeOf: ({ asked, parameters, detail }) =>
      (asked?.length ?? 0) + (parameters?.length ?? 0) + (detail?.length ?? 0),
    perform: async (rows, repeated) => {
      await write(rows, repeated).catch((error: unknown) => {
        if (repeated || !isTaken(error)) throw error;
        return write(rows, true);
      });
      return rows.map(() => null);
    },
  });
  return logQueue(group.add, group, log);
}

/** On PostgreSQL the gateway that books the journal writes the rows of all gateways. */
export function journaledLog(
  add: (posting: { account_id: string; request: RequestRow }) => Promise<unknown>,
  log: Log,
) {
  const journal = (request: RequestRow) => add({ account_id: request.account_id, request });
  return logQueue(journal, { hurry: () => undefined, depth: () => 0 }, log);
}

function logQueue(
  write: (request: RequestRow) => Promise<unknown>,
  { hurry, depth }: { hurry: () => void; depth: () => number },
  log: Log,
) {
  // Rows are written in order, so the last one is written last.
  let last: Promise<unknown> = Promise.resolve();
  return {
    add: (request: RequestRow): void => {
      last = write(request).catch((error: unknown) => {
        log.warn({ err: error, request_id: request.id }, 'a request could not be logged');
      });
    },
    /** Writes all rows added so far. */
    flush: async () => {
      hurry();
      await last;
    },
    depth,
  };
}
