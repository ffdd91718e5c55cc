// What callers reported about the results of their searches: one row per search, for as long as it
// accepts feedback.
import { deleteSteps, type Runner } from '../../store/index.ts';

interface FeedbackRow {
  request_id: string;
  account_id: string;
  /** When the search was made. */
  created_at: number;
  /** One letter for each result. */
  verdicts: string;
}

export async function insertFeedback(on: Runner, row: FeedbackRow): Promise<void> {
  await on.run(
    `insert into feedback (request_id, account_id, created_at, verdicts) values ($1, $2, $3, $4)
     on conflict (request_id) do nothing`,
    [row.request_id, row.account_id, row.created_at, row.verdicts],
  );
}

/** Locked until the transaction ends. */
export async function findVerdicts(tx: Runner, requestId: string): Promise<string | undefined> {
  const [row] = await tx.run<{ verdicts: string }>(
    `select verdicts from feedback where request_id = $1${tx.lock('for update')}`,
    [requestId],
  );
  return row?.verdicts;
}

export async function updateVerdicts(
  on: Runner,
  requestId: string,
  verdicts: string,
): Promise<void> {
  await on.run('update feedback set verdicts = $2 where request_id = $1', [requestId, verdicts]);
}

/** Returns how many rows were deleted. */
export const deleteOldFeedback = deleteSteps({
  table: 'feedback',
  key: 'request_id',
  due: 'created_at < $1',
  order: 'created_at, request_id',
});
