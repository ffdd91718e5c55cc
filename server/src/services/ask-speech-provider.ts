// Talks to a speech provider about one job: submits it once, polls it, or looks for a submission
// whose fate is uncertain.
import { mergeBody, mergeQuery } from '../domain/options.ts';
import type { JobEvent } from '../domain/job.ts';
import { advised } from '../domain/job-failures.ts';
import { refusalOf } from '../domain/refusal.ts';
import type { Refusal, Reply } from '../domain/refusal.ts';
import type { Sent } from '../platform/http.ts';
import type { WireRequest } from '../providers/provider.ts';
import type { TranscribeProduct } from '../providers/transcribe-product.ts';
import type { JobRow } from '../store/jobs.ts';
import { hasOtherKey, isAboutKey } from '../domain/resilience/credentials.ts';
import { outgoingOf, parse, refusalIn } from './call-provider.ts';
import type { Chosen } from './choose-provider.ts';
import { attemptOf, keyOfJob, productOf, stationOf } from './job-desk.ts';
import type { JobDesk } from './job-desk.ts';
import type { ReadingTask, ReadNews } from './read-transcript.ts';
import { sendGuarded } from './send-guarded.ts';

const submit_timeout_ms = 30_000;
const synchronous_timeout_ms = 15 * 60_000;
const question_timeout_ms = 30_000;
const max_answer_bytes = 128 * 1024 * 1024;
/** Pages and candidates of one look-up, and the time they may take together. */
const max_lookup_steps = 120;
const longestLookupMs = 120_000;

/** Sends the attempt that was just put on record. Nothing here ever sends it a second time. */
export async function submit(desk: JobDesk, job: JobRow): Promise<ReadNews> {
  const { house } = desk;
  const product = productOf(house, job.provider);
  const attempt = attemptOf(desk, job);
  const wire = withOptions(product, product.toSubmit(attempt), job.request.options);
  const left_ms = Math.max(1, job.deadline_at - house.clock.now().getTime());
  const timeout_ms = attempt.callback ? submit_timeout_ms : synchronous_timeout_ms;
  const call = await sendTo(desk, job, wire, Math.min(timeout_ms, left_ms), 'submit');
  if (call.kind === 'not_sent') return { ...call, kind: 'refused' };
  const { sent } = call;
  if (!sent.ok) {
    const reason = sent.message;
    const certain = sent.failure === 'unreachable';
    return certain ? { kind: 'refused', reason } : { kind: 'unknown', reason };
  }
  if (call.other_key) return { kind: 'refused', reason: 'another credential has its turn' };
  return desk.reader.read(taskOf(desk, job, 'submit', sent));
}

export async function askProvider(desk: JobDesk, job: JobRow): Promise<ReadNews> {
  const { toPoll } = productOf(desk.house, job.provider);
  if (!toPoll || job.provider_job_id === null) return { kind: 'running' };
  const call = await sendTo(desk, job, toPoll(job.provider_job_id), question_timeout_ms, 'poll');
  if (call.kind === 'not_sent') return { ...call, kind: 'trouble' };
  if (!call.sent.ok) return { kind: 'trouble', reason: call.sent.message };
  return desk.reader.read(taskOf(desk, job, 'poll', call.sent));
}

/** Asks the provider's own records, step by step, until something is established. */
export async function lookUp(desk: JobDesk, job: JobRow): Promise<JobEvent> {
  const { attempt: number } = job;
  const product = productOf(desk.house, job.provider);
  const attempt = attemptOf(desk, job);
  const missing: JobEvent = { kind: 'not_found', attempt: number };
  const { clock } = desk.house;
  const until = clock.ticks() + longestLookupMs;
  let step = product.toLookup?.(attempt);
  for (let steps = 0; steps < max_lookup_steps && step?.kind === 'ask'; steps += 1) {
    if (clock.ticks() >= until) return missing;
    const call = await sendTo(desk, job, step.wire, question_timeout_ms, 'lookup');
    if (call.kind === 'not_sent' || !call.sent.ok) return missing;
    step = product.fromLookup?.(replyOf(call.sent), step.state, attempt, clock.now());
  }
  if (step?.kind === 'accepted') {
    const { provider_job_id, transcribed } = step;
    const more = transcribed ? { transcribed } : {};
    return { kind: 'found', attempt: number, provider_job_id, ...more };
  }
  if (step?.kind === 'failed') {
    return { kind: 'failed', attempt: number, failure: advised(step.failure) };
  }
  return missing;
}

type SpeechCall =
  /** Nothing left this house. */
  | { kind: 'not_sent'; reason: string; retry_after_ms?: number }
  /** `other_key`: it refused the credential and did no work, and there is a rested one. */
  | { kind: 'sent'; sent: Sent; other_key: boolean };

/** Always with the credential of the job: others know nothing of it. */
async function sendTo(
  desk: JobDesk,
  job: JobRow,
  wire: WireRequest,
  timeout_ms: number,
  what: 'submit' | 'poll' | 'lookup',
): Promise<SpeechCall> {
  const { house } = desk;
  const station = stationOf(house, job.provider);
  if (!station) return { kind: 'not_sent', reason: 'the provider is not configured' };
  const key = keyOfJob(desk, station, job);
  if (key === undefined && station.upstream.key !== undefined) {
    return { kind: 'not_sent', reason: 'the credential of this job was taken away' };
  }
  const outgoing = outgoingOf(station, wire, { timeout_ms, max_bytes: max_answer_bytes }, key);
  const manner = { fresh: what === 'submit', in_pieces: what !== 'lookup' };
  const called = await sendGuarded(house, station, key, { ...outgoing, ...manner }, (sent) => ({
    value: sent,
    refusal: refusalOfCall(sent),
  }));
  if ('turned_away' in called) {
    const { message: reason, retry_after_ms } = called.turned_away;
    const later = retry_after_ms === undefined ? {} : { retry_after_ms };
    return { kind: 'not_sent', reason, ...later };
  }
  return {
    kind: 'sent',
    sent: called.value,
    other_key: hasBetterKey(station, key, called.refusal),
  };
}

/** Called after the refused one was put to rest. */
function hasBetterKey({ guard }: Chosen, key: string | undefined, refusal?: Refusal): boolean {
  if (!guard || key === undefined || !refusal || !isAboutKey(refusal.kind)) return false;
  return hasOtherKey(guard.credentials, key, guard.clock.ticks());
}

/** Only for the provider's health: what an answer says about the job, its adapter reads. */
function refusalOfCall(sent: Sent): Refusal | undefined {
  if (!sent.ok) return refusalIn(sent);
  return sent.status < 300 ? undefined : refusalOf({ ...sent, body: undefined });
}

function taskOf(
  desk: JobDesk,
  job: JobRow,
  source: ReadingTask['source'],
  sent: Extract<Sent, { ok: true }>,
): ReadingTask {
  const { language } = job.request;
  return {
    source,
    provider: job.provider,
    status: sent.status,
    headers: [...sent.headers],
    texts: sent.pieces ?? [sent.text],
    attempt: attemptOf(desk, job),
    ...(language === undefined ? {} : { language }),
    rates: desk.house.prices[job.provider]?.transcribe ?? {},
  };
}

function replyOf(sent: Extract<Sent, { ok: true }>): Reply {
  return { ...sent, body: parse(sent.text) };
}

/** Exported for the fixtures, which play what would be sent. */
export function withOptions(
  product: TranscribeProduct,
  wire: WireRequest,
  options: Record<string, unknown>,
): WireRequest {
  switch (product.options_go_to) {
    case 'body':
      return { ...wire, body: mergeBody(wire.body ?? {}, options) };
    case 'query':
      return { ...wire, query: mergeQuery(wire.query ?? {}, options) };
    case 'form':
      return { ...wire, form: mergeQuery(wire.form ?? {}, options) };
  }
}
