// One round of work on a claimed job: look at what was delivered, else do the one step that is
// next.
import { GatewayError } from '@trivium/contract';
import { nextStep } from '../domain/job.ts';
import type { JobEvent } from '../domain/job.ts';
import { advised } from '../domain/job-failures.ts';
import { nextTurn } from '../platform/clock.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import { findUnread, markRead } from '../store/callbacks.ts';
import type { Callback } from '../store/callbacks.ts';
import { deleteJob } from '../store/jobs.ts';
import type { JobRow } from '../store/jobs.ts';
import { putOff } from '../store/leases.ts';
import { findPart } from '../store/texts.ts';
import { askProvider, lookUp, submit } from './ask-speech-provider.ts';
import { attemptOf, productOf } from './job-desk.ts';
import type { JobDesk } from './job-desk.ts';
import type { JobMoves } from './move-job.ts';
import type { ReadNews } from './read-transcript.ts';

/** A delivery of 64 MB in the parts it is stored in, with room to spare. */
const max_parts = 4096;

/** Nothing came of a round: the next one need not wait for the lease to die. */
const pauseMs = 1000;
/** A round that threw will most likely throw again. */
const pauseAfterFaultMs = 10_000;

/** One round; what the worker holds meanwhile is the job's lease. */
export async function runJob(desk: JobDesk, moves: JobMoves, job: JobRow): Promise<void> {
  const { database, clock, log } = desk.house;
  const round: Round = { desk, moves, job, lookedAt: [] };
  let [ended, pause] = [false, pauseMs];
  try {
    ended = (await readDeliveries(round)) || (await takeStep(round));
  } catch (error) {
    if (isStoreTrouble(error)) throw error;
    log.warn({ err: error, job_id: job.id }, 'a round of work on a job failed');
    pause = pauseAfterFaultMs;
  }
  if (ended) return;
  // Whatever this round was waiting for, the deadline does not wait for it.
  if (clock.now().getTime() >= job.deadline_at && (await apply(round, job, { kind: 'deadline' }))) {
    return;
  }
  await putOff(database, job.id, desk.owner, nextRoundAt(job, clock.now().getTime(), pause));
}

interface Round {
  desk: JobDesk;
  moves: JobMoves;
  job: JobRow;
  /** The deliveries it has looked at. */
  lookedAt: string[];
}

/** What the store refuses says nothing about the job, so nothing may follow from it. */
function isStoreTrouble(error: unknown): boolean {
  return error instanceof GatewayError || storeTrouble(error) !== undefined;
}

function nextRoundAt({ deadline_at }: JobRow, now: number, pause: number): number {
  return now < deadline_at ? Math.min(now + pause, deadline_at) : now + pause;
}

/** True when the job has moved, and this round is over. */
async function takeStep(round: Round): Promise<boolean> {
  const { desk, job } = round;
  const { house } = desk;
  const can_poll = productOf(house, job.provider).toPoll !== undefined;
  switch (nextStep(job, can_poll, house.clock.now().getTime())) {
    case 'delete':
      await house.database.transaction((tx) => deleteJob(tx, job.id));
      return true;
    case 'expire':
      return false;
    case 'submit':
      return submitOnce(round);
    case 'poll':
      return hear(round, job, await askProvider(desk, job));
    case 'lookup':
      return apply(round, job, await lookUp(desk, job));
  }
}

/**
 * Only the winner of `take` sends, and sends once: what it learns is recorded under its attempt.
 */
async function submitOnce(round: Round): Promise<boolean> {
  const taken = await round.moves.take(round.job);
  return taken !== undefined && hear(round, taken, await submit(round.desk, taken));
}

/** True when one of them moved the job. Each is kept until the job has ended. */
async function readDeliveries(round: Round): Promise<boolean> {
  const { desk, job, lookedAt } = round;
  const { database, clock, log } = desk.house;
  // Of what was never sent nothing can have been delivered.
  const neverSent = job.attempt_status === 'queued' && job.attempt === 1;
  if (neverSent || job.finished_at !== null) return false;
  for (const callback of await findUnread(database, job.id)) {
    lookedAt.push(callback.id);
    const delivered = { ...job, attempt: callback.attempt };
    try {
      const news = await readDelivery(desk, delivered, callback);
      const moved = await hear(round, delivered, news);
      await markRead(database, callback, clock.now().getTime());
      if (moved) {
        desk.nudge();
        return true;
      }
    } catch (error) {
      if (isStoreTrouble(error)) throw error;
      // It stays unread, and the job goes on without it until there is a reader that can read it.
      log.warn({ err: error, job_id: job.id }, 'a delivery could not be read');
    }
  }
  return false;
}

async function readDelivery(desk: JobDesk, job: JobRow, { body_id }: Callback): Promise<ReadNews> {
  const { database, prices } = desk.house;
  const texts: string[] = [];
  for (let part = 0; part < max_parts; part += 1) {
    const text = await findPart(database, body_id, part);
    if (text === undefined) break;
    texts.push(text);
    await nextTurn();
  }
  if (texts.length === 0) throw new Error(`the body ${body_id} is not there`);
  const { language } = job.request;
  return desk.reader.read({
    source: 'callback',
    provider: job.provider,
    status: 200,
    headers: [],
    texts,
    attempt: attemptOf(desk, job),
    ...(language === undefined ? {} : { language }),
    rates: prices[job.provider]?.transcribe ?? {},
  });
}

/** `job` at the attempt that the news is about. */
async function hear(round: Round, job: JobRow, news: ReadNews): Promise<boolean> {
  if (news.kind === 'done') {
    return round.moves.complete(job, news.written, news.provider_job_id);
  }
  return apply(round, job, eventOf(job, news));
}

function eventOf(job: JobRow, news: Exclude<ReadNews, { kind: 'done' }>): JobEvent {
  const { attempt } = job;
  switch (news.kind) {
    case 'accepted':
    case 'refused':
    case 'unknown':
      return { kind: 'submitted', attempt, outcome: news };
    case 'failed':
      return { kind: 'failed', attempt, failure: advised(news.failure) };
    case 'running':
      return { kind: 'still_running', attempt };
    case 'trouble': {
      const { retry_after_ms } = news;
      return {
        kind: 'still_running',
        attempt,
        ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
      };
    }
    case 'hint': {
      const { provider_job_id } = news;
      return {
        kind: 'hinted',
        attempt,
        ...(provider_job_id === undefined ? {} : { provider_job_id }),
      };
    }
    case 'nothing':
      return { kind: 'not_found', attempt };
  }
}

function apply({ moves, lookedAt }: Round, job: JobRow, event: JobEvent): Promise<boolean> {
  return moves.apply(job, event, lookedAt);
}
