// Moves a job: the reducer decides under the job's lock, and money moves in the same transaction
// as the state.
import { toAmount } from '../domain/amount.ts';
import { reduce } from '../domain/job.ts';
import type { JobEvent, Moment } from '../domain/job.ts';
import { nextTurn } from '../platform/clock.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import type { WrittenTranscript } from '../domain/transcript.ts';
import type { JobRow } from '../store/jobs.ts';
import { insertPart } from '../store/texts.ts';
import { newId } from '../platform/ids.ts';
import { groupCommit } from './group-commit.ts';
import { callbackUrl, nextCredential, productOf } from './job-desk.ts';
import type { JobDesk } from './job-desk.ts';
import { ceilingOf } from './price-call.ts';
import { move_task } from './move-task.ts';
import type { MoveItem } from './move-task.ts';
import type { LoggedCost } from './write-requests.ts';

export interface JobMoves {
  /**
   * Puts the attempt on record as submitting. Undefined when somebody else has it, or there is no
   * room.
   */
  take: (job: JobRow) => Promise<JobRow | undefined>;
  /**
   * False when the event came too late to change anything, or would end a job without its
   * transcript while a delivery lies here unread that is not among those `lookedAt`.
   */
  apply: (job: JobRow, event: JobEvent, lookedAt?: readonly string[]) => Promise<boolean>;
  complete: (
    job: JobRow,
    written: WrittenTranscript,
    provider_job_id?: string | null,
  ) => Promise<boolean>;
  idle: () => Promise<void>;
}

/** Longer results are put down before the move, so that the move itself stays short. */
const parts_in_move = 1;

export function makeJobMoves(desk: JobDesk): JobMoves {
  const { database, clock, ledger } = desk.house;
  const commits = groupCommit<MoveItem, JobRow | null>({
    clock,
    troubleOf: storeTrouble,
    perform: (batch) => database.perform(move_task, batch, true),
  });
  const itemOf = (job: JobRow, event: JobEvent): MoveItem => ({
    job_id: job.id,
    event,
    moment: momentOf(desk, job),
    owner: desk.owner,
  });
  return {
    take: async (job) => {
      const taking = takingOf(desk, job);
      return (await commits.add({ ...itemOf(job, { kind: 'taken' }), taking })) ?? undefined;
    },
    apply: async (job, event, lookedAt = []) => {
      const item = itemOf(job, event);
      const { effect } = reduce(job, event, item.moment) ?? {};
      if (effect !== 'release') return (await commits.add(item)) !== null;
      const outcome = await ledger.release(
        { id: holdId(job.id), account_id: job.account_id },
        { job: { ...item, kind: 'ends', effect, lookedAt } },
      );
      return outcome.kind === 'released';
    },
    complete: async (job, written, provider_job_id = null) => {
      const item = itemOf(job, { kind: 'done', attempt: job.attempt, provider_job_id });
      const result = { id: newId('text'), parts: written.parts };
      if (written.parts.length > parts_in_move) {
        await writeParts(desk, job, result);
        result.parts = [];
      }
      const ceiling = ceilingOf(desk.house.settings);
      // Above the ceiling the duration cannot be right, and one request never costs more.
      const cost = toAmount(written.cost, ceiling) ?? ceiling;
      const outcome = await ledger.settle(
        { id: holdId(job.id), account_id: job.account_id, cost, may_exceed: true },
        { job: { ...item, kind: 'ends', effect: 'settle', result }, costs_request: loggedAs(job) },
      );
      return outcome.kind === 'settled' && !outcome.again;
    },
    idle: commits.idle,
  };
}

export function holdId(job_id: string): `job:${string}` {
  return `job:${job_id}`;
}

function loggedAs({ request_id, account_id, key_id, provider, created_at }: JobRow): LoggedCost {
  return { id: request_id, account_id, key_id, tool: 'transcription', provider, created_at };
}

/** How this attempt is to be sent, if there is room; whoever asks for it later must know. */
function takingOf(desk: JobDesk, job: JobRow): NonNullable<MoveItem['taking']> {
  const callback_url = callbackUrl(desk, job);
  return {
    concurrency: productOf(desk.house, job.provider).concurrency,
    attempt: job.attempt,
    sender: { callback_url, credential: nextCredential(desk, job.provider) },
  };
}

async function writeParts(
  { house }: JobDesk,
  job: JobRow,
  { id, parts }: { id: string; parts: readonly string[] },
): Promise<void> {
  const made_at = house.clock.now().getTime();
  for (const [part, content] of parts.entries()) {
    await insertPart(house.database, { id, part, job_id: job.id, made_at, content });
    // The embedded store may answer in the same turn of the loop; others are to have theirs.
    await nextTurn();
  }
}

function momentOf(desk: JobDesk, { provider, model }: JobRow): Moment {
  const { poll_after_s, lookup_after_s, callback_bound_s } = productOf(desk.house, provider);
  const bound = callback_bound_s ? { callback_bound_s: callback_bound_s(model) } : {};
  return {
    now: desk.house.clock.now().getTime(),
    chance: desk.chance(),
    pace: { poll_after_s, lookup_after_s, ...bound },
    provider,
  };
}
