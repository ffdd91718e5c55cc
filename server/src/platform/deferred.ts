// Work put off: written down and synced at once, performed a moment later, many pieces in one
// transaction, and always before anything else is asked of the file. What a process leaves behind
// is performed by the next one, so the input of a task must stay readable to later versions.
import type { Runner, Task } from './database.ts';
import { storeTrouble } from './store-trouble.ts';

/** The transactions a thread knows, by their names. */
export type Known = ReadonlyMap<string, Task<never, unknown>>;

export interface Deferred {
  /** On disk when it resolves. */
  put: (task: string, input: string) => Promise<void>;
  /** Does what was put off. Throws when the store is in trouble, and then it is all still there. */
  perform: () => Promise<void>;
  /** Takes up what an earlier process left. */
  resume: () => Promise<void>;
}

/** A piece that cannot be performed, however often it is tried. */
export interface FailedPiece {
  /** Its row in the table `deferred`, which keeps it. */
  row: number;
  task: string;
  reason: string;
}

export interface DeferredDevices {
  known: Known;
  runner: Runner;
  /** Told once of each, after its row says so. */
  onFailed: (failed: FailedPiece) => void;
  /** These need no sync of their own: until they are committed, the rows are there. */
  transaction: (work: () => Promise<void>) => Promise<void>;
}

interface Piece {
  row: number;
  task: string;
  input: string;
}

/** The longest that others who read the file have to wait for what was put off. */
const longest_wait_ms = 50;
/** About a hundred requests: what is performed as one. */
const enough_chars = 64 * 1024;
const most_chars = 16 * enough_chars;
const trouble_pause_ms = 1000;

export function makeDeferred(devices: DeferredDevices): Deferred {
  const { runner } = devices;
  const pieces: Piece[] = [];
  let chars = 0;
  let timer: Timer | undefined;
  const perform = async () => {
    clearTimeout(timer);
    timer = undefined;
    while (pieces.length > 0) await performNext(devices, pieces);
    chars = 0;
  };
  const performIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      perform().catch(() => performIn(trouble_pause_ms));
    }, ms);
  };
  return {
    put: async (task, input) => {
      if (chars > most_chars) await perform();
      const row = await write(runner, task, input);
      pieces.push({ row, task, input });
      chars += input.length;
      if (chars >= enough_chars) performIn(0);
      else if (timer === undefined) performIn(longest_wait_ms);
    },
    perform,
    resume: async () => {
      const left = await runner.run<{ row: unknown; task: string; input: string }>(
        'select rowid as row, task, input from deferred where trouble is null order by rowid',
      );
      for (const { row, task, input } of left) pieces.push({ row: Number(row), task, input });
      await perform();
    },
  };
}

async function write(runner: Runner, task: string, input: string): Promise<number> {
  const [row] = await runner.run<{ row: unknown }>(
    'insert into deferred (task, input, created_at) values ($1, $2, $3) returning rowid as row',
    [task, input, Date.now()],
  );
  return Number(row?.row);
}

/** Takes from the list what is done, and nothing else: to do a piece twice would charge twice. */
async function performNext(devices: DeferredDevices, pieces: Piece[]): Promise<void> {
  const group = firstGroup(pieces);
  try {
    await performTogether(devices, group);
    pieces.splice(0, group.length);
  } catch (error) {
    if (storeTrouble(error)) throw error;
    // One faulty piece must not take the others with it.
    for (const piece of group) {
      await performAlone(devices, piece);
      pieces.shift();
    }
  }
}

async function performTogether(
  { known, runner, transaction }: DeferredDevices,
  group: readonly Piece[],
): Promise<void> {
  const name = group[0]?.task ?? '';
  const task = known.get(name) as Task<unknown, unknown> | undefined;
  if (!task?.join) throw new Error(`${name} is no task that can be put off`);
  const input = task.join(group.map((piece) => JSON.parse(piece.input) as unknown));
  const rows = group.map(({ row }) => row);
  await transaction(async () => {
    await task.work(runner, input);
    await runner.run('delete from deferred where rowid between $1 and $2 and trouble is null', [
      Math.min(...rows),
      Math.max(...rows),
    ]);
  });
}

/** What cannot be done is kept, with the reason, and told; the audit finds it as well. */
async function performAlone(devices: DeferredDevices, piece: Piece): Promise<void> {
  try {
    await performTogether(devices, [piece]);
  } catch (error) {
    if (storeTrouble(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const mark = 'update deferred set trouble = $1 where rowid = $2';
    await devices.runner.run(mark, [reason, piece.row]);
    devices.onFailed({ row: piece.row, task: piece.task, reason });
  }
}

/** Pieces of one task in a row, as many as may be performed as one. */
function firstGroup(pieces: readonly Piece[]): Piece[] {
  const [first] = pieces;
  let chars = 0;
  const end = pieces.findIndex(({ task, input }, at) => {
    chars += input.length;
    return at > 0 && (task !== first?.task || chars > 2 * enough_chars);
  });
  return pieces.slice(0, end === -1 ? pieces.length : end);
}
