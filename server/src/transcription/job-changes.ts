// How jobs change in the store: with a ledger transaction (a job is inserted with its hold, and
// finished with its settlement or release), or many at once in a transaction that moves no money.
// Changes are plain data, so that the store's thread can apply them.
import type { LinkedRows } from '../billing/index.ts';
import type { NewEvent } from '../events/index.ts';
import { writeEvents } from '../events/write-event.ts';
import type { Runner, Task } from '../store/index.ts';
import {
  type Effect,
  type JobEvent,
  type Moment,
  type Move,
  checkMove,
  maxOfOneAccount,
  reduce,
} from './core/job.ts';
import type { TranscriptNotes } from './core/transcript.ts';
import { deleteCallbacks, findOtherUnread, insertParts } from './store/callbacks.ts';
import {
  type JobRow,
  type NewJob,
  type NewState,
  insertJobs,
  lockJobs,
  putStates,
  takeTurn,
} from './store/jobs.ts';
import { type Postponed, countAtWork, hasOneAccount, postponeJobs } from './store/leases.ts';

export type JobChange =
  | { kind: 'begins'; job: NewJob }
  | {
      kind: 'ends';
      job_id: string;
      event: JobEvent;
      moment: Moment;
      /** What the worker expects. Under the lock, the job may turn out to have ended already. */
      effect: Effect;
      /** Read in this round. A job fails only if it has no other unread callback. */
      readCallbackIds?: readonly string[];
      result?: StoredText;
      /** The vendor's document from which the result was read. */
      raw?: StoredText;
      notes?: TranscriptNotes;
    };

/** `parts` are written in this transaction. The parts of a long text were stored before it. */
export interface StoredText {
  id: string;
  chars: number;
  parts: readonly string[];
}

/** How the ledger writes the rows of jobs. */
export const jobRows: LinkedRows = {
  prepare: (tx, changes) => prepare(tx, changes as readonly JobChange[]),
  write: (tx, changes) => write(tx, changes as readonly PreparedJob[]),
  size: (change) => size(change as JobChange),
};

type JobEnd = Extract<JobChange, { kind: 'ends' }>;
type Prepared = { move: Move; job: JobRow } | 'begins';

interface PreparedJob {
  change: JobChange;
  prepared: Prepared | undefined;
}

/** Decides under the locks of the jobs. Undefined means no change. */
async function prepare(
  tx: Runner,
  changes: readonly JobChange[],
): Promise<(Prepared | undefined)[]> {
  const ends = changes.filter((change) => change.kind === 'ends');
  const ids = [...new Set(ends.map(({ job_id }) => job_id))];
  const jobs = ids.length === 0 ? new Map<string, JobRow>() : await lockJobs(tx, ids);
  const readers = ends.flatMap(({ job_id, readCallbackIds }) =>
    readCallbackIds ? { job_id, readCallbackIds } : [],
  );
  const unread = readers.length === 0 ? new Set() : await findOtherUnread(tx, readers);
  return changes.map((change) => {
    if (change.kind === 'begins') return 'begins';
    const { job_id, event, moment, effect, readCallbackIds } = change;
    if (readCallbackIds && unread.has(job_id)) return undefined;
    const job = jobs.get(job_id);
    const move = job && reduce(job, event, moment);
    if (!job || move?.effect !== effect) return undefined;
    checkMove(job, move.job);
    return { move, job };
  });
}

async function write(tx: Runner, changes: readonly PreparedJob[]): Promise<void> {
  const begun = changes.flatMap(({ change }) => (change.kind === 'begins' ? change.job : []));
  if (begun.length > 0) await insertJobs(tx, begun);
  const ends = changes.flatMap(({ change, prepared }) =>
    change.kind === 'ends' ? endOf(change, prepared) : [],
  );
  if (ends.length === 0) return;
  const parts = ends.flatMap((end) => end.parts);
  if (parts.length > 0) await insertParts(tx, parts);
  const states = ends.map(({ written }) => written);
  await putStates(tx, states);
  await deleteCallbacks(tx, states);
  // Written in the transaction that ends the jobs, so that no job ends without its event.
  const events = ends.flatMap((end) => end.events);
  await writeEvents(tx, events);
}

function endOf({ job_id, moment, result, raw, notes }: JobEnd, prepared: Prepared | undefined) {
  if (!prepared || prepared === 'begins') {
    throw new Error(`${job_id} was written before it was prepared`);
  }
  const { move, job } = prepared;
  const { now } = moment;
  const length = (result?.chars ?? 0) + (raw?.chars ?? 0);
  const named = {
    ...(result ? { result_id: result.id, result_bytes: length } : {}),
    ...(raw ? { raw_id: raw.id } : {}),
    ...(notes ? { notes } : {}),
  };
  const written: NewState = { id: job_id, state: move.job, now, keep_lease: false, ...named };
  const parts = [result, raw].flatMap((text) =>
    (text?.parts ?? []).map((content, part) => ({
      ...{ id: text?.id ?? '', part, job_id, made_at: now, content },
    })),
  );
  return { written, parts, events: [eventOf(job, move, now), ...durationEvents(job, notes, now)] };
}

function eventOf(job: JobRow, { job: end }: Move, now: number): NewEvent {
  const { webhook: url } = job.request;
  return {
    type: end.status === 'completed' ? 'job.completed' : 'job.failed',
    account_id: job.account_id,
    subject: job.id,
    at: now,
    ...(url === undefined ? {} : { url }),
  };
}

/** The operator should know: without durations, prices are estimates. */
function durationEvents(
  { id: jobId, provider }: JobRow,
  notes: TranscriptNotes | undefined,
  at: number,
): NewEvent[] {
  if (!notes?.charged_to) return [];
  const data = { provider, job_id: jobId, charged_to: notes.charged_to };
  const type = 'provider.unusable_duration';
  return [{ type, account_id: null, subject: provider, data, at }];
}

/** The number of characters in the change. */
function size(change: JobChange): number {
  if (change.kind !== 'ends') return 0;
  const parts = [change.result, change.raw].flatMap((text) => text?.parts ?? []);
  return parts.reduce((sum, part) => sum + part.length, 0);
}

export interface TransitionItem {
  job_id: string;
  event: JobEvent;
  moment: Moment;
  /** The worker that holds the lease. */
  owner: string;
  /** Set only for a worker that is about to submit the job. */
  taking?: {
    /** How many jobs its provider may work on at once. */
    concurrency: number;
    attempt: number;
    sender: Pick<JobRow, 'callback_url' | 'credential'>;
  };
}

interface AtWork {
  /** See `countAtWork`. */
  counts: Map<string, number>;
  isAlone: boolean;
}

/** How long a job waits if its provider is at its limit. Claims skip it during that time. */
const atLimitMs = 250;

/** The jobs in their new state. Null for a job that did not move. */
export const transitionTask: Task<readonly TransitionItem[], (JobRow | null)[]> = {
  name: 'move',
  work: async (tx, batch) => {
    const taking = batch.find((item) => item.taking);
    // Gateways take turns here, so that together they respect the provider's limit.
    if (taking) await takeTurn(tx);
    const counts = taking ? await countAtWork(tx, taking.moment.now) : new Map<string, number>();
    const atWork: AtWork = { counts, isAlone: taking !== undefined && (await hasOneAccount(tx)) };
    const moved = new Map<TransitionItem, JobRow | null>();
    for (const wave of wavesOf(batch)) await moveAll(tx, wave, atWork, moved);
    return batch.map((item) => moved.get(item) ?? null);
  },
};

/** A job is only once in a wave, so a wave is read and written in a few statements. */
function wavesOf(batch: readonly TransitionItem[]): TransitionItem[][] {
  const waves: TransitionItem[][] = [];
  const times = new Map<string, number>();
  for (const item of batch) {
    const time = times.get(item.job_id) ?? 0;
    times.set(item.job_id, time + 1);
    (waves[time] ??= []).push(item);
  }
  return waves;
}

async function moveAll(
  tx: Runner,
  wave: readonly TransitionItem[],
  atWork: AtWork,
  moved: Map<TransitionItem, JobRow | null>,
): Promise<void> {
  const jobs = await lockJobs(
    tx,
    wave.map(({ job_id }) => job_id),
  );
  const states: NewState[] = [];
  const postponed: Postponed[] = [];
  for (const item of wave) {
    const decided = decideOne(item, jobs.get(item.job_id), atWork);
    moved.set(item, decided.job ?? null);
    if (decided.state) states.push(decided.state);
    if (decided.postponed) postponed.push(decided.postponed);
  }
  if (postponed.length > 0) await postponeJobs(tx, postponed);
  if (states.length > 0) await putStates(tx, states);
}

interface Decided {
  job?: JobRow;
  state?: NewState;
  postponed?: Postponed;
}

function decideOne(
  { job_id: id, event, moment, owner, taking }: TransitionItem,
  present: JobRow | undefined,
  { counts, isAlone }: AtWork,
): Decided {
  const { now } = moment;
  const mine = present?.lease_owner === owner;
  if (!present || (taking && (!mine || present.attempt !== taking.attempt))) return {};
  if (taking) {
    // An earlier attempt to commit this succeeded, and only its answer was lost.
    if (present.attempt_status === 'submitting') return { job: present };
    const { provider, account_id } = present;
    const count = counts.get(provider) ?? 0;
    const ofAccount = counts.get(`${provider} ${account_id}`) ?? 0;
    const { concurrency } = taking;
    const isFull = count >= concurrency || ofAccount >= maxOfOneAccount(concurrency, isAlone);
    if (isFull) return { postponed: { id, owner, run_at: now + atLimitMs } };
    counts.set(provider, count + 1);
    counts.set(`${provider} ${account_id}`, ofAccount + 1);
  }
  const move = reduce(present, event, moment);
  // A transition that moves money goes through the ledger, in the worker's next round.
  if (!move || move.effect) return {};
  checkMove(present, move.job);
  const sender = taking ? { sender: taking.sender } : {};
  const keepsLease = taking !== undefined || !mine;
  return {
    job: { ...present, ...move.job, ...taking?.sender },
    state: { id, state: move.job, now, keep_lease: keepsLease, ...sender },
  };
}
