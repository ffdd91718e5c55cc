// The journal of deferred tasks, in the table `deferred`. A task is written and synced at once. It
// runs within 50 ms, together with many others in one transaction, and always before any other
// statement. Tasks that a process leaves behind run at the next start, so later versions must be
// able to read the input of a task.
import type { Runner, Task } from './database.ts';
import { happens } from '../platform/fault-points.ts';
import { machine } from '../platform/machine.ts';
import { storeTrouble } from '../platform/store-trouble.ts';

/** The tasks that the store's thread can run, by name. */
export type KnownTasks = ReadonlyMap<string, Task<never, unknown>>;

export interface Deferred {
  /** Resolves when the task is on disk. */
  add: (task: string, input: string) => Promise<void>;
  /** Runs all deferred tasks. Throws if the store fails; the tasks then stay in the journal. */
  runAll: () => Promise<void>;
  /** Runs the tasks that an earlier process left in the journal. */
  resume: () => Promise<void>;
}

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
  /** Need not sync the disk: until the transaction is committed, the journal still has the rows. */
  transaction: (work: () => Promise<void>) => Promise<void>;
}

interface DeferredTask {
  row: number;
  task: string;
  input: string;
}

/** The longest time until a reader of the file outside this process sees a deferred task. */
const maxDelayMs = 50;
/** About a hundred requests, which run in one transaction. */
const groupChars = 64 * 1024;
const maxChars = 16 * groupChars;
const retryDelayMs = 1000;

export function makeDeferred(dependencies: DeferredDependencies): Deferred {
  const { runner } = dependencies;
  const waiting: DeferredTask[] = [];
  let chars = 0;
  let timer: Timer | undefined;
  const runAll = async () => {
    machine.clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0) await runNext(dependencies, waiting);
    chars = 0;
  };
  const runIn = (ms: number) => {
    machine.clearTimeout(timer);
    timer = machine.setTimeout(() => {
      runAll().catch(() => runIn(retryDelayMs));
    }, ms);
  };
  return {
    add: async (task, input) => {
      if (chars > maxChars) await runAll();
      const row = await write(runner, task, input);
      waiting.push({ row, task, input });
      chars += input.length;
      if (chars >= groupChars) runIn(0);
      else if (timer === undefined) runIn(maxDelayMs);
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

async function write(runner: Runner, task: string, input: string): Promise<number> {
  const [row] = await runner.run<{ row: unknown }>(
    'insert into deferred (task, input, created_at) values ($1, $2, $3) returning rowid as row',
    [task, input, machine.now()],
  );
  return Number(row?.row);
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
  { tasks, runner, transaction }: DeferredDependencies,
  group: readonly DeferredTask[],
): Promise<void> {
  const name = group[0]?.task ?? '';
  const task = tasks.get(name) as Task<unknown, unknown> | undefined;
  if (!task?.join) throw new Error(`${name} is not a task that can be deferred`);
  const input = task.join(group.map((one): unknown => JSON.parse(one.input)));
  const rows = group.map(({ row }) => row);
  if (group.length > 1 && happens('journal_group_fails')) throw new Error('made to fail');
  await transaction(async () => {
    await task.work(runner, input);
    await runner.run('delete from deferred where rowid between $1 and $2 and trouble is null', [
      Math.min(...rows),
      Math.max(...rows),
    ]);
  });
}

/** A failing task stays in its row with the reason, and is reported. The audit lists it. */
async function runAlone(dependencies: DeferredDependencies, failing: DeferredTask): Promise<void> {
  try {
    await runTogether(dependencies, [failing]);
  } catch (error) {
    if (storeTrouble(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const mark = 'update deferred set trouble = $1 where rowid = $2';
    await dependencies.runner.run(mark, [reason, failing.row]);
    dependencies.onFailed({ row: failing.row, task: failing.task, reason });
  }
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
