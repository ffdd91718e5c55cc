// Books the journal of the embedded store, in its thread: many deferred tasks in one transaction, and
// always before any other statement. Tasks that a process leaves behind run at the next start, so later
// versions must be able to read the input of a task. The table `deferred` has those that failed, and
// those that a backup or an earlier version has left there.
import type { Runner, Task } from './database.ts';
import { happens } from '../platform/fault-points.ts';
import { machine } from '../platform/machine.ts';
import { isDamage, storeTrouble } from '../platform/store-trouble.ts';
import { facts } from './facts.ts';
import {
  factOf,
  groupChars,
  journalFact,
  type JournalRecord,
  type Position,
} from './sqlite/journal-file.ts';

/** The tasks that the store's thread can run, by name. */
export type KnownTasks = ReadonlyMap<string, Task<never, unknown>>;

/**
 * A task that fails for a reason of its own, not because of the store, so a retry would not help.
 */
export interface FailedTask {
  /** Its row in the table `deferred`. The row is kept. */
  row: number | string;
  task: string;
  reason: string;
}

interface DeferredDependencies {
  tasks: KnownTasks;
  runner: Runner;
  /** Called once per task, after the reason is in its row. */
  onFailed: (failed: FailedTask) => void;
  /** Called when everything up to this record of the journal is on disk in its tables. */
  onBooked: (seq: number) => void;
  onDamage: (error: { message: string; code: string }) => void;
  /** The disk is synced, because the place of the records is used again. */
  transaction: (work: () => Promise<void>) => Promise<void>;
}

interface DeferredTask {
  task: string;
  input: string;
  /** Where it is: in the table, or in the journal. */
  row?: number;
  position?: Position;
}

const retryDelayMs = 1000;

export type Deferred = ReturnType<typeof makeDeferred>;

export function makeDeferred(dependencies: DeferredDependencies) {
  const { runner } = dependencies;
  const waiting: DeferredTask[] = [];
  let timer: Timer | undefined;
  const runAll = async () => {
    machine.clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0) await runNext(dependencies, waiting);
  };
  const runOrRetry = (): Promise<void> =>
    runAll().catch((error: unknown) => {
      const { message, code } = error as { message: string; code: string };
      if (isDamage(error)) return dependencies.onDamage({ message, code });
      machine.clearTimeout(timer);
      timer = machine.setTimeout(() => void runOrRetry(), retryDelayMs);
    });
  return {
    /** Takes over records of the journal, and runs them at once. They run again after a failure. */
    add: (records: readonly JournalRecord[]): Promise<void> => {
      waiting.push(...records.map(taskOf));
      return runOrRetry();
    },
    runAll,
    resume: async () => {
      const left = await runner.run<{ row: unknown; task: string; input: string }>(
        'select rowid as row, task, input from deferred where trouble is null order by rowid',
      );
      for (const { row, task, input } of left) waiting.push({ row: Number(row), task, input });
      await runAll();
    },
  };
}

/** A record begins with the name of its task. */
export function taskOf({ text, position }: JournalRecord): DeferredTask {
  const end = text.indexOf(' ');
  return { task: text.slice(0, end), input: text.slice(end + 1), position };
}

/** Removes only committed tasks: a task that ran twice would charge twice. */
async function runNext(dependencies: DeferredDependencies, waiting: DeferredTask[]): Promise<void> {
  const group = firstGroup(waiting);
  try {
    await runTogether(dependencies, group);
    waiting.splice(0, group.length);
  } catch (error) {
    if (storeTrouble(error)) throw error;
    // One faulty task must not fail the others.
    for (const one of group) {
      await runAlone(dependencies, one);
      waiting.shift();
    }
  }
}

async function runTogether(
  dependencies: DeferredDependencies,
  group: readonly DeferredTask[],
): Promise<void> {
  const { tasks, runner } = dependencies;
  const name = group[0]?.task ?? '';
  const task = tasks.get(name) as Task<unknown, unknown> | undefined;
  if (!task?.join) throw new Error(`${name} is not a task that can be deferred`);
  const input = task.join(group.map((one): unknown => JSON.parse(one.input)));
  if (group.length > 1 && happens('journal_group_fails')) throw new Error('made to fail');
  await book(dependencies, group, async (rows) => {
    await task.work(runner, input);
    if (rows.length === 0) return;
    await runner.run('delete from deferred where rowid between $1 and $2 and trouble is null', [
      Math.min(...rows),
      Math.max(...rows),
    ]);
  });
}

/** A failing task stays in the table with the reason, and is reported. The audit lists it. */
async function runAlone(dependencies: DeferredDependencies, failing: DeferredTask): Promise<void> {
  const { task, input } = failing;
  try {
    await runTogether(dependencies, [failing]);
  } catch (error) {
    if (storeTrouble(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    let { row } = failing;
    await book(dependencies, [failing], async () => {
      row ??= await write(dependencies.runner, task, input);
      const mark = 'update deferred set trouble = $1 where rowid = $2';
      await dependencies.runner.run(mark, [reason, row]);
    });
    dependencies.onFailed({ row: Number(row), task, reason });
  }
}

async function write(runner: Runner, task: string, input: string): Promise<number> {
  const [row] = await runner.run<{ row: unknown }>(
    'insert into deferred (task, input, created_at) values ($1, $2, $3) returning rowid as row',
    [task, input, machine.now()],
  );
  return Number(row?.row);
}

/** In one transaction with the number of the last record, so that none is booked twice. */
async function book(
  { runner, transaction, onBooked }: DeferredDependencies,
  group: readonly DeferredTask[],
  work: (rows: number[]) => Promise<void>,
): Promise<void> {
  const last = group.findLast(({ position }) => position)?.position;
  await transaction(async () => {
    await work(group.flatMap(({ row }) => row ?? []));
    if (last) await facts.put(runner, journalFact, factOf(last));
  });
  if (last) onBooked(last.seq);
}

/** The first inputs of the same task, as many as one transaction may hold. */
function firstGroup(waiting: readonly DeferredTask[]): DeferredTask[] {
  const [first] = waiting;
  let chars = 0;
  const end = waiting.findIndex(({ task, input }, at) => {
    chars += input.length;
    return at > 0 && (task !== first?.task || chars > 2 * groupChars);
  });
  return waiting.slice(0, end === -1 ? waiting.length : end);
}
