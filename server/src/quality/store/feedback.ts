// What callers reported about the results of their searches: one row per search, for as long as it
// accepts feedback.
import { feedbackDays } from '@trivium/contract';
import { dayMs } from '@trivium/contract/durations';
import { logKeptMs } from '../../settings/index.ts';
import { expiring, type Runner, table, text, whole } from '../../store/index.ts';

const feedback = table('feedback', {
  request_id: text,
  account_id: text,
  /** When the search was made. */
  created_at: whole,
  /** One letter for each result. */
  verdicts: text,
});
const verdictsOf = feedback.pick('verdicts');

export const insertFeedback = feedback.insertNew('request_id');

/** Locked until the transaction ends. */
export async function findVerdicts(tx: Runner, requestId: string): Promise<string | undefined> {
  const lock = tx.lock('for update');
  return (await verdictsOf.find(tx, `where request_id = $1${lock}`, [requestId]))?.verdicts;
}

export async function updateVerdicts(
  on: Runner,
  requestId: string,
  verdicts: string,
): Promise<void> {
  await on.run('update feedback set verdicts = $2 where request_id = $1', [requestId, verdicts]);
}

/** One day longer than feedback on a search is accepted, for gateways whose clocks differ. */
const feedbackKeptMs = (feedbackDays + 1) * dayMs;

export const expiredFeedback = expiring({
  keptMs: (settings) => Math.min(logKeptMs(settings), feedbackKeptMs),
  table: 'feedback',
  key: 'request_id',
});
