// Moves a job: the reducer decides under the job's lock, and money moves in the same transaction
// as the state.
import { reduce } from '../domain/job.ts';
import type { JobEvent, Move } from '../domain/job.ts';
import { nextTurn } from '../platform/clock.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import type { Runner } from '../platform/database.ts';
import type { WrittenTranscript } from '../domain/transcript.ts';
import { findFirstCallback } from '../store/callbacks.ts';
import { countAtWork, lockJob, putState, takeTurn } from '../store/jobs.ts';
import type { JobRow } from '../store/jobs.ts';
import { putOff } from '../store/leases.ts';
import { insertPart } from '../store/texts.ts';
import { newId } from '../platform/ids.ts';
import { groupCommit } from './group-commit.ts';
import { callbackUrl, nextCredential, productOf } from './job-desk.ts';
import type { JobDesk } from './job-desk.ts';

export interface JobMoves {
  /**
   * Puts the attempt on record as submitting. Undefined when somebody else has it, or there is no
   * room.
   */
  take: (job: JobRow) => Promise<JobRow | undefined>;
  /**
   * False when the event came too late to change anything, or would end a job whose delivery lies
   * here unread: only what a delivery itself says may do that.
   */
  apply: (job: JobRow, event: JobEvent, source?: 'delivery') => Promise<boolean>;
  complete: (
    job: JobRow,
    written: WrittenTranscript,
    provider_job_id?: string | null,
  ) => Promise<boolean>;
  idle: () => Promise<void>;
}

type Item = { job: JobRow; event: JobEvent };

/** How long a job waits when its provider has no room; the claim skips it until there is some. */
const no_room_ms = 250;
/** Longer results are put down before the move, so that the move itself stays short. */
const parts_in_move = 2;

export function makeJobMoves(desk: JobDesk): JobMoves {
  const { database, clock } = desk.house;
  const commits = groupCommit<Item, JobRow | undefined>({
    clock,
    troubleOf: storeTrouble,
    perform: (batch) => database.transaction((tx) => performBatch(desk, tx, batch)),
  });
  const release = async (job: JobRow, event: JobEvent, source?: 'delivery') => {
    const outcome = await desk.house.ledger.release(
      { id: holdId(job.id), account_id: job.account_id },
      moneyMove(desk, job, event, { effect: 'release', unread_first: source !== 'delivery' }),
    );
    return outcome.kind === 'released';
  };
  return {
    take: (job) => commits.add({ job, event: { kind: 'taken' } }),
    apply: async (job, event, source) => {
      const foreseen = reduce(job, event, momentOf(desk, job));
      if (foreseen?.effect === 'release') return release(job, event, source);
      return (await commits.add({ job, event })) !== undefined;
    },
    complete: async (job, written, provider_job_id) => {
      const event: JobEvent = {
        kind: 'done',
        attempt: job.attempt,
        provider_job_id: provider_job_id ?? null,
      };
      const result_id = newId('text');
      const write = (on: Runner) => writeParts(desk, on, job, result_id, written.parts);
      const early = written.parts.length > parts_in_move;
      if (early) await write(desk.house.database);
      const rider = moneyMove(desk, job, event, { effect: 'settle', result_id });
      const outcome = await desk.house.ledger.settle(
        {
          id: holdId(job.id),
          account_id: job.account_id,
          cost: written.cost,
          may_exceed: true,
        },
        {
          ...rider,
          also: async (tx) => {
            if (!early) await write(tx);
            await rider.also(tx);
          },
          costs_request: {
            id: job.request_id,
            account_id: job.account_id,
            key_id: job.key_id,
            tool: 'transcription',
            provider: job.provider,
            created_at: job.created_at,
          },
        },
      );
      return outcome.kind === 'settled' && !outcome.again;
    },
    idle: commits.idle,
  };
}

export function holdId(job_id: string): string {
  return `job:${job_id}`;
}

interface MoneyMove {
  effect: NonNullable<Move['effect']>;
  result_id?: string;
  /** What lies here unread is read before anybody gives up for lack of news. */
  unread_first?: boolean;
}

/** Decides again under the locks: what was foreseen may have happened already, by another way. */
function moneyMove(
  desk: JobDesk,
  job: JobRow,
  event: JobEvent,
  { effect, result_id, unread_first = false }: MoneyMove,
) {
  let move: Move | undefined;
  return {
    guard: async (tx: Runner) => {
      const present = await lockJob(tx, job.id);
      if (unread_first && (await findFirstCallback(tx, job.id))) return false;
      move = present && reduce(present, event, momentOf(desk, job));
      return move?.effect === effect;
    },
    also: async (tx: Runner) => {
      if (!move) throw new Error(`${job.id} was not decided before it was moved`);
      const now = desk.house.clock.now().getTime();
      const extra = { now, keep_lease: false, ...(result_id === undefined ? {} : { result_id }) };
      await putState(tx, job.id, move.job, extra);
    },
  };
}

async function performBatch(
  desk: JobDesk,
  tx: Runner,
  batch: readonly Item[],
): Promise<(JobRow | undefined)[]> {
  const taking = batch.some(({ event }) => event.kind === 'taken');
  // Gateways take turns here, so that together they keep to a provider's limit.
  if (taking) await takeTurn(tx);
  const at_work = taking ? await countAtWork(tx) : new Map<string, number>();
  const moved: (JobRow | undefined)[] = [];
  for (const item of batch) moved.push(await performItem(desk, tx, item, at_work));
  return moved;
}

async function performItem(
  desk: JobDesk,
  tx: Runner,
  { job, event }: Item,
  at_work: Map<string, number>,
): Promise<JobRow | undefined> {
  const now = desk.house.clock.now().getTime();
  const present = await lockJob(tx, job.id);
  const mine = present?.lease_owner === desk.owner;
  if (!present || (event.kind === 'taken' && !mine)) return undefined;
  if (event.kind === 'taken') {
    // An earlier try of this very commit went through, and only its answer was lost.
    if (present.attempt_status === 'submitting') return present;
    const count = at_work.get(job.provider) ?? 0;
    if (count >= productOf(desk.house, job.provider).concurrency) {
      await putOff(tx, job.id, desk.owner, now + no_room_ms);
      return undefined;
    }
    at_work.set(job.provider, count + 1);
  }
  const move = reduce(present, event, momentOf(desk, job));
  // A move with money belongs to the ledger; the worker meets it again on its next round.
  if (!move || move.effect) return undefined;
  const sender = event.kind === 'taken' ? senderOf(desk, present) : undefined;
  const keep_lease = event.kind === 'taken' || !mine;
  await putState(tx, job.id, move.job, { now, keep_lease, ...(sender ? { sender } : {}) });
  return { ...present, ...move.job, ...sender };
}

/** How this attempt is to be sent; whoever asks for it later must know. */
function senderOf(desk: JobDesk, job: JobRow) {
  return {
    callback_url: callbackUrl(desk, job),
    credential: nextCredential(desk, job.provider),
  };
}

async function writeParts(
  { house }: JobDesk,
  on: Runner,
  job: JobRow,
  id: string,
  parts: readonly string[],
): Promise<void> {
  const made_at = house.clock.now().getTime();
  for (const [part, content] of parts.entries()) {
    await insertPart(on, { id, part, job_id: job.id, made_at, content });
    // The embedded store answers in the same turn of the loop; others are to have theirs.
    if (parts.length > parts_in_move) await nextTurn();
  }
}

function momentOf(desk: JobDesk, { provider, model }: JobRow) {
  const { poll_after_s, lookup_after_s, callback_bound_s } = productOf(desk.house, provider);
  const bound = callback_bound_s ? { callback_bound_s: callback_bound_s(model) } : {};
  return {
    now: desk.house.clock.now().getTime(),
    chance: desk.chance(),
    pace: { poll_after_s, lookup_after_s, ...bound },
  };
}
