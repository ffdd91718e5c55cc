// Threads for work that would delay other callers. Owners, such as accounts, take turns. A thread
// that takes too long or fails is ended, and only its task is lost: the next one starts a new
// thread.
import { type Clock, systemClock } from './clock.ts';
import { type ConcurrencyLimits, makeConcurrencyLimiter } from './concurrency-limiter.ts';
import { machine } from './machine.ts';

export interface ThreadLimits extends ConcurrencyLimits {
  /** For starting a thread and for what it loads. */
  startMs: number;
  /** For one task, from when the thread starts it. */
  taskMs: number;
}

/** `busy`: the task was not started. `late` and `failed`: the task ended its thread. */
type WhyNotDone = 'busy' | 'late' | 'failed';

type Answer<Value> = { value: Value } | { notDone: WhyNotDone };

export interface Threads<Task, Value> {
  /** Never rejects. */
  ask: (task: Task, owner: string) => Promise<Answer<Value>>;
  running: () => number;
  waiting: () => number;
  /** How many tasks ended in which way. */
  counts: Readonly<Record<'done' | WhyNotDone, number>>;
}

type FromThread<Value> = 'started' | { value: Value } | { error: string };

/** Starts a thread when it is needed: as many as run at once. */
export function makeThreads<Task, Value>(
  program: URL,
  limits: ThreadLimits,
  clock: Clock = systemClock,
): Threads<Task, Value> {
  const limiter = makeConcurrencyLimiter(limits, clock);
  const idle = new Set<Worker>();
  const counts = { done: 0, busy: 0, late: 0, failed: 0 };
  const start = (): Worker => {
    const thread = machine.startThread(program, { ref: false });
    for (const ended of ['error', 'close']) {
      thread.addEventListener(ended, () => idle.delete(thread));
    }
    return thread;
  };
  const run = async (task: Task): Promise<Answer<Value>> => {
    try {
      const [thread = start()] = idle;
      idle.delete(thread);
      const answer = await perform<Task, Value>(thread, task, limits);
      if ('value' in answer) idle.add(thread);
      else thread.terminate();
      return answer;
    } catch {
      return { notDone: 'failed' };
    }
  };
  return {
    ask: async (task, owner) => {
      const hasEntered = await limiter.enter(owner);
      const answer = hasEntered ? await run(task) : { notDone: 'busy' as const };
      if (hasEntered) limiter.leave(owner);
      counts['value' in answer ? 'done' : answer.notDone] += 1;
      return answer;
    },
    running: limiter.running,
    waiting: limiter.waiting,
    counts,
  };
}

function perform<Task, Value>(
  thread: Worker,
  task: Task,
  { startMs, taskMs }: ThreadLimits,
): Promise<Answer<Value>> {
  const { promise, resolve } = Promise.withResolvers<Answer<Value>>();
  const giveUp = (notDone: WhyNotDone) => () => resolve({ notDone });
  let timer = machine.setTimeout(giveUp('busy'), startMs);
  // An answer that has arrived counts, even if the event loop was too busy to read it in time.
  const isLate = () => void machine.nextTurn().then(giveUp('late'));
  thread.onmessage = ({ data }: MessageEvent<FromThread<Value>>) => {
    machine.clearTimeout(timer);
    if (data === 'started') timer = machine.setTimeout(isLate, taskMs);
    else resolve('value' in data ? data : { notDone: 'failed' });
  };
  const ended = () => {
    machine.clearTimeout(timer);
    resolve({ notDone: 'failed' });
  };
  thread.addEventListener('error', ended, { once: true });
  thread.addEventListener('close', ended, { once: true });
  thread.postMessage(task);
  return promise.finally(() => {
    thread.removeEventListener('error', ended);
    thread.removeEventListener('close', ended);
  });
}

/** The side of the thread. `prepare` loads what a task needs, before its time starts. */
export function answerTasks<Task, Value>(
  run: (task: Task) => Value,
  prepare?: (task: Task) => Promise<void>,
): void {
  const thread = globalThis as unknown as Worker;
  const post = (message: FromThread<Value>) => thread.postMessage(message);
  thread.addEventListener('message', ({ data }: MessageEvent<Task>) => {
    const answer = async () => {
      await prepare?.(data);
      post('started');
      post({ value: run(data) });
    };
    answer().catch((error: unknown) => post({ error: String(error) }));
  });
}
