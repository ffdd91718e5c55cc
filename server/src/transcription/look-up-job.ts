// Asks a provider about a job: polls a job that it accepted, and looks up a submission whose
// outcome is unknown in the provider's records, so that it need not be sent again. After a crash,
// many submissions are uncertain at once, so all look-ups of this process share the answers.
import { hourMs, minuteMs } from '@trivium/contract/durations';
import type { Clock } from '../platform/clock.ts';
import { gaugeLimit } from '../platform/limit-gauges.ts';
import type { LookupStep } from '../providers/index.ts';
import { type Reply, parseJson } from '../upstream/core/index.ts';
import { callSpeechProvider, questionTimeoutMs, readAnswer } from './call-speech-provider.ts';
import { advised } from './core/job-failures.ts';
import type { JobEvent } from './core/job.ts';
import { type JobContext, type LookupAnswers, attemptOf, productOf } from './job-context.ts';
import type { ProviderReport } from './read-transcript.ts';
import { type JobRow, findProviderJobIds } from './store/jobs.ts';

/** The maximum number of calls in one look-up, and the time they may take together. */
const maxLookupCalls = 120;
const maxLookupMs = 120_000;

/** Searches the provider's records. Look-ups with the same credential share the answers. */
export async function lookUpJob(context: JobContext, job: JobRow): Promise<JobEvent> {
  const { attempt: number, provider } = job;
  const product = productOf(context, provider);
  const attempt = attemptOf(context, job);
  const missing = (unanswered?: string): JobEvent => ({
    kind: 'nothing',
    attempt: number,
    ...(unanswered === undefined ? {} : { unanswered }),
  });
  if (!product.toLookup) return missing('it has no list of accepted recordings');
  const { clock, lookupAnswers } = context;
  const until = clock.ticks() + maxLookupMs;
  const source = `${provider} ${job.credential}`;
  let calls = 0;
  const ask = async ({ wire, keep }: Question): Promise<Reply | JobEvent> => {
    if (!lookupAnswers.mayCall(source)) return missing('other look-ups came first');
    calls += 1;
    const called = await callSpeechProvider(context, job, wire, questionTimeoutMs, 'lookup');
    if (called.kind !== 'answered') return missing(called.reason);
    const { status, headers, text } = called.reply;
    if (status >= 300) return missing(`it answered with status ${status}`);
    return { status, headers, text: '', body: keep(parseJson(text)) };
  };
  let step: LookupStep | undefined = product.toLookup(attempt, await knownIds(context, job));
  while (step?.kind === 'ask') {
    if (clock.ticks() >= until || calls >= maxLookupCalls) {
      return missing('it answered too slowly');
    }
    const question: Question = step;
    const { wire, isFinal, state } = question;
    const key = `${source} ${wire.path} ${JSON.stringify(wire.query ?? {})}`;
    const keptMs = isFinal ? hourMs : listKeptMs;
    const answer = await lookupAnswers.share(key, keptMs, () => ask(question), isReply);
    if (!isReply(answer)) return { ...answer, attempt: number } as JobEvent;
    step = product.fromLookup?.(answer, state, attempt, clock.now());
  }
  if (step?.kind === 'accepted') {
    const { provider_job_id, transcribed } = step;
    const more = transcribed ? { transcribed } : {};
    return { kind: 'found', attempt: number, provider_job_id, ...more };
  }
  if (step?.kind === 'failed') {
    return { kind: 'failed', attempt: number, failure: advised(step.failure) };
  }
  return missing();
}

type Question = Extract<LookupStep, { kind: 'ask' }>;

function isReply(answer: Reply | JobEvent): answer is Reply {
  return 'status' in answer;
}

/** How long look-ups use the same list. */
const listKeptMs = 5000;
/** The ids of jobs that were created in this time around the submission are read. */
const createdBeforeMs = 15 * minuteMs;
const createdAfterMs = 5 * minuteMs;

/** The provider's ids of other jobs. Jobs submitted in the same minute share them. */
function knownIds(
  { database, lookupAnswers }: JobContext,
  { provider, submitted_at, created_at }: JobRow,
): Promise<ReadonlySet<string>> {
  const minute = Math.floor((submitted_at ?? created_at) / minuteMs) * minuteMs;
  const span = { from: minute - createdBeforeMs, to: minute + createdAfterMs };
  return lookupAnswers.share(`${provider} ids ${minute}`, listKeptMs, () =>
    findProviderJobIds(database.reader, provider, span),
  );
}

/** Asks the provider for the state of an accepted job. */
export async function pollJob(context: JobContext, job: JobRow): Promise<ProviderReport> {
  const { toPoll } = productOf(context, job.provider);
  if (!toPoll || job.provider_job_id === null) return { kind: 'running' };
  const call = await callSpeechProvider(
    context,
    job,
    toPoll(job.provider_job_id),
    questionTimeoutMs,
    'poll',
  );
  if (call.kind !== 'answered') return { ...call, kind: 'trouble' };
  return readAnswer(context, job, 'poll', call.reply);
}

export const lookupCallsPerMinute = 300;
const maxAnswers = 10_000;

export function makeLookupAnswers(clock: Pick<Clock, 'ticks'>): LookupAnswers {
  const answers = new Map<string, { value: Promise<unknown>; until: number }>();
  const calls = new Map<string, number[]>();
  const makeRoom = (now: number) => {
    for (const [key, { until }] of answers) {
      if (until <= now || answers.size >= maxAnswers) answers.delete(key);
    }
  };
  gaugeLimit('lookup_answers', () => ({ entries: answers.size }));
  return {
    share: async <T>(
      key: string,
      keptMs: number,
      make: () => Promise<T>,
      isKept: (value: T) => boolean = () => true,
    ) => {
      const present = answers.get(key);
      if (present && present.until > clock.ticks()) return present.value as Promise<T>;
      makeRoom(clock.ticks());
      const entry = { value: make(), until: Infinity };
      answers.set(key, entry);
      const drop = () => {
        if (answers.get(key) === entry) answers.delete(key);
      };
      try {
        const value = await entry.value;
        entry.until = clock.ticks() + keptMs;
        if (!isKept(value)) drop();
        return value;
      } catch (error) {
        drop();
        throw error;
      }
    },
    mayCall: (source) => {
      const now = clock.ticks();
      const lately = (calls.get(source) ?? []).filter((at) => at > now - minuteMs);
      calls.set(source, lately);
      return lately.length < lookupCallsPerMinute && lately.push(now) > 0;
    },
  };
}
