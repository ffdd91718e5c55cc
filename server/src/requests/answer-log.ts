// Answers that are kept beside the request log if the operator enables it. No caller waits for
// them: many share one statement, and answers that the store cannot take in time are left out.
import { hourMs } from '@trivium/contract/durations';
import { boundedQueue } from '../platform/bounded-queue.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import { makeTrim } from '../store/index.ts';
import type { AnswerLog, RequestsContext } from './context.ts';
import { hoursToKeep } from './request-log.ts';
import { storableText } from './request-detail.ts';
import { insertAnswers, type LoggedAnswer } from './store/stored-texts.ts';

/** How long answers wait for others. If the process is killed, waiting answers are lost. */
const gatherMs = 100;
/** For one answer. The rest is cut off. */
const maxAnswerChars = 256 * 1024;
/** For all waiting answers. Further ones are left out. */
const maxWaitingChars = 32 * 1024 * 1024;

/** As many as one statement can take at their full length. */
const maxBatch = 64;

/** Undefined if no answers are kept. */
export function makeAnswerLog(
  context: Pick<RequestsContext, 'database' | 'clock' | 'log' | 'settings'>,
): AnswerLog | undefined {
  const { database, clock, log, settings } = context;
  const { keep_answer_hours: maxHours = 0, keep_answers_max_mb: maxMb = 0 } = settings;
  if (maxHours === 0) return undefined;
  const trim = makeTrim({
    database,
    log,
    what: 'kept answers',
    limits: { max_entries: Infinity, max_bytes: maxMb * 1024 * 1024 },
    table: 'logged_answers',
    key: 'request_id',
    order: 'expires_at',
    byAccount: true,
  });
  // Only the first of a series is logged.
  let isLeavingOut = false;
  const leaveOut = (reason: object) => {
    if (!isLeavingOut) log.warn(reason, 'answers could not be kept');
    isLeavingOut = true;
  };
  const { add, flush } = boundedQueue<LoggedAnswer>({
    name: 'logged_answers',
    maxWaiting: maxWaitingChars,
    sizeOf: ({ body }) => body.length,
    maxBatch,
    everyMs: gatherMs,
    write: async (answers) => {
      await insertAnswers(database, answers);
      isLeavingOut = false;
      trim.add(answers);
    },
    onError: (err) => leaveOut({ err }),
    mayRetry: (error) => storeTrouble(error) !== undefined,
    onFaulty: ({ request_id }, err) => leaveOut({ request_id, err }),
  });
  return {
    add: ({ request_id, caller, tool }, { text, isFree }) => {
      // The transcript of a job is kept with the job, and a cached answer when it was fetched: else
      // a caller who pays nothing could push out all others.
      if (tool === 'transcription' || isFree) return;
      // An answer reveals what was asked, so it is never kept longer than the query.
      const hours = Math.min(maxHours, hoursToKeep(context, caller));
      if (hours === 0) return;
      const body = storableText(text, maxAnswerChars);
      const isAdded = add({
        request_id,
        account_id: caller.account_id,
        bytes: Buffer.byteLength(body),
        truncated: body.length < text.length,
        expires_at: clock.now().getTime() + hours * hourMs,
        body,
      });
      if (!isAdded) leaveOut({ request_id });
    },
    flush,
  };
}
