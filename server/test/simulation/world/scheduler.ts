// Virtual time: a queue of tasks, each of one simulated process or of none. After a task all its
// microtasks run, then the next task is taken, so a seed gives the same order each time.
import { drainMicrotasks } from 'bun:jsc';

/** A process of the simulation: what it has scheduled ends with it. */
export interface Life {
  name: string;
  isAlive: boolean;
  /** Nothing of it runs before this time. */
  frozenUntil: number;
  startedAt: number;
  /** How far its clock is ahead. */
  clockOffsetMs: number;
  /** Called when it is killed, so that the machine frees what it had open. */
  atEnd: (() => void)[];
}

export interface Task {
  at: number;
  order: number;
  owner: Life | undefined;
  work: () => void;
  isCancelled: boolean;
}

export interface Scheduler {
  /** Milliseconds since the world began. */
  now: () => number;
  /** Whose task is running. */
  current: () => Life | undefined;
  /** Runs `work` after a while, unless its owner has ended by then. */
  after: (ms: number, owner: Life | undefined, work: () => void) => Task;
  /** Runs tasks until there is none before `until`, or `isOver`. */
  runUntil: (until: number, isOver?: () => boolean) => void;
  kill: (life: Life) => void;
  /** How many tasks have run. */
  steps: () => number;
  /** How many tasks of a process wait. */
  pendingOf: (life: Life) => number;
}

export function makeScheduler(): Scheduler {
  const heap: Task[] = [];
  let [now, order, steps] = [0, 0, 0];
  let current: Life | undefined;
  const push = (task: Task) => {
    heap.push(task);
    siftUp(heap, heap.length - 1);
  };
  const run = (task: Task) => {
    current = task.owner;
    steps += 1;
    try {
      task.work();
    } finally {
      drainMicrotasks();
      current = undefined;
    }
  };
  return {
    now: () => now,
    current: () => current,
    after: (ms, owner, work) => {
      order += 1;
      const at = now + Math.max(0, Number.isFinite(ms) ? ms : longestMs);
      const task = { at, order, owner, work, isCancelled: false };
      push(task);
      return task;
    },
    runUntil: (until, isOver = () => false) => {
      while (heap.length > 0 && (heap[0]?.at ?? Infinity) <= until && !isOver()) {
        const task = pop(heap);
        if (!task || task.isCancelled || task.owner?.isAlive === false) continue;
        const thaw = task.owner?.frozenUntil ?? 0;
        if (thaw > task.at) {
          push({ ...task, at: thaw });
          continue;
        }
        now = Math.max(now, task.at);
        run(task);
      }
      if (!isOver()) now = Math.max(now, until);
    },
    kill: (life) => {
      if (!life.isAlive) return;
      life.isAlive = false;
      for (const end of life.atEnd) end();
    },
    steps: () => steps,
    pendingOf: (life) =>
      heap.filter(({ owner, isCancelled }) => owner === life && !isCancelled).length,
  };
}

/** As long as a timer of the runtime can be. */
const longestMs = 2 ** 31 - 1;

function isBefore(one: Task | undefined, other: Task | undefined): boolean {
  if (!one || !other) return false;
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

function siftUp(heap: Task[], from: number): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(heap[at], heap[parent])) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function pop(heap: Task[]): Task | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (heap.length === 0 || !last) return first;
  heap[0] = last;
  for (let at = 0; ;) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    const least = isBefore(heap[right], heap[left]) ? right : left;
    if (!isBefore(heap[least], heap[at])) return first;
    swap(heap, at, least);
    at = least;
  }
}

function swap(heap: Task[], one: number, other: number): void {
  const kept = heap[one];
  heap[one] = heap[other] as Task;
  heap[other] = kept as Task;
}
