// Answers that are kept beside the request log if the operator enables it. No caller waits for
// them: many share one statement, and answers that the store cannot take in time are left out.
import { hourMs } from '@trivium/contract/durations';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import type { Settings } from '../settings/index.ts';
import { type Database, groupCommit, makeTrim } from '../store/index.ts';
import { storableText } from './request-detail.ts';
import type { CurrentRequest, Served } from './current-request.ts';
import {
  deleteFirstAnswers,
  insertAnswers,
  type LoggedAnswer,
  measureAnswers,
} from './store/logged-answers.ts';

export interface AnswerLog {
  add: (
    currentRequest: Pick<CurrentRequest, 'request_id' | 'caller' | 'tool'>,
    served: Served,
  ) => void;
  /** Writes all answers added so far. */
  flush: () => Promise<void>;
}

/** How long answers wait for others. If the process is killed, waiting answers are lost. */
const gatherMs = 100;
/** For one answer. The rest is cut off. */
const maxAnswerChars = 256 * 1024;
/** For all waiting answers. Further ones are left out. */
const maxWaitingChars = 32 * 1024 * 1024;

type AnswerSettings = Pick<
  Settings,
  'keep_query_hours' | 'keep_answer_hours' | 'keep_answers_max_mb'
>;

interface AnswerLogContext {
  database: Database;
  clock: Clock;
  log: Log;
  settings: AnswerSettings;
}

/** Undefined if no answers are kept. */
export function makeAnswerLog(context: AnswerLogContext): AnswerLog | undefined {
  const { database, clock, log, settings } = context;
  if (settings.keep_answer_hours === 0) return undefined;
  const trim = makeTrim({
    database,
    log,
    what: 'kept answers',
    limits: { max_entries: Infinity, max_bytes: settings.keep_answers_max_mb * 1024 * 1024 },
    measure: measureAnswers,
    deleteFirst: deleteFirstAnswers,
  });
  const group = groupCommit<LoggedAnswer, null>({
    clock,
    gatherMs,
    troubleOf: storeTrouble,
    sizeOf: ({ body }) => body.length,
    perform: async (answers) => {
      await insertAnswers(database, answers);
      trim(
        answers.length,
        answers.reduce((sum, { bytes }) => sum + bytes, 0),
      );
      return answers.map(() => null);
    },
  });
  let waitingChars = 0;
  // Only the first of a series is logged.
  let isLeavingOut = false;
  const leaveOut = (requestId: string, reason: object) => {
    if (!isLeavingOut) log.warn({ ...reason, request_id: requestId }, 'answers could not be kept');
    isLeavingOut = true;
  };
  const write = async (answer: LoggedAnswer) => {
    waitingChars += answer.body.length;
    try {
      await group.add(answer);
      isLeavingOut = false;
    } catch (error) {
      leaveOut(answer.request_id, { err: error });
    } finally {
      waitingChars -= answer.body.length;
    }
  };
  let last: Promise<void> = Promise.resolve();
  return {
    add: ({ request_id, caller, tool }, { text, isFree }) => {
      // The transcript of a job is kept with the job, and a cached answer when it was fetched: else
      // a caller who pays nothing could push out all others.
      const hours = tool === 'transcription' || isFree ? 0 : hoursToKeep(settings, caller);
      if (hours === 0) return;
      if (waitingChars > maxWaitingChars) return leaveOut(request_id, {});
      const body = storableText(text, maxAnswerChars);
      last = write({
        request_id,
        account_id: caller.account_id,
        bytes: Buffer.byteLength(body),
        truncated: text.length > maxAnswerChars,
        expires_at: clock.now().getTime() + hours * hourMs,
        body,
      });
    },
    flush: async () => {
      group.hurry();
      await last;
    },
  };
}

/** An answer reveals what was asked, so it is never kept longer than the query. */
function hoursToKeep(settings: AnswerSettings, { policy }: CurrentRequest['caller']): number {
  const queryHours = policy?.keep_query_hours ?? settings.keep_query_hours;
  return Math.min(settings.keep_answer_hours, queryHours);
}
