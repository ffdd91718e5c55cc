// Threads for work that would delay other callers. Owners, such as accounts, take turns. A thread
// that takes too long or fails is ended, and only its task is lost: the next one starts a new
// thread. During its task a thread can ask the other side for data, which is copied piece by piece.
import { type Clock, systemClock } from './clock.ts';
import { type ConcurrencyLimits, makeConcurrencyLimiter } from './concurrency-limiter.ts';
import { every } from './every.ts';
import { machine } from './machine.ts';

export interface ThreadLimits extends ConcurrencyLimits {
  /** For starting a thread and for what it loads. */
  startMs?: number;
  /** For one task, from when the thread starts it. */
  taskMs?: number;
  /** True if the thread should collect its garbage more often. */
  smol?: boolean;
  /** True if each task gets a new thread, so that whatever it does to its thread ends with it. */
  isNewForEach?: boolean;
  /** How much memory this process may take while a task runs. `name` is that of the check. */
  maxGrowth?: { name: string; bytes: number; checkMs: number };
}

/** `busy`: the task was not started. `late` and `failed`: the task ended its thread. */
type WhyNotDone = 'busy' | 'late' | 'failed';

type Answer<Value> = { value: Value } | { notDone: WhyNotDone; error?: Error };

/** Answers what the thread asks for during its task. The task fails if this does. */
type Serve<Request, Reply> = (request: Request) => Promise<Reply>;

export interface Threads<Task, Value, Request = never, Reply = never> {
  /** Never rejects. */
  ask: (task: Task, owner?: string, serve?: Serve<Request, Reply>) => Promise<Answer<Value>>;
  running: () => number;
  waiting: () => number;
  /** How many tasks ended in which way. */
  counts: Readonly<Record<'done' | WhyNotDone, number>>;
  /** Ends every thread. Tasks in progress fail, and so do those that wait. */
  close: () => void;
}

type ToThread<Task, Reply> = { task: Task } | { reply: Reply };
type FromThread<Value, Request> =
  | 'started'
  | { request: Request }
  | { value: Value }
  | { error: Error };

/** Starts a thread when it is needed: as many as run at once. */
export function makeThreads<Task, Value, Request = never, Reply = never>(
  program: URL,
  limits: ThreadLimits,
  clock: Clock = systemClock,
): Threads<Task, Value, Request, Reply> {
  const limiter = makeConcurrencyLimiter(limits, clock);
  const started = new Set<Worker>();
  const idle = new Set<Worker>();
  const counts = { done: 0, busy: 0, late: 0, failed: 0 };
  let isClosed = false;
  const start = (): Worker => {
    const thread = machine.startThread(program, { ref: false, smol: limits.smol === true });
    started.add(thread);
    for (const ended of ['error', 'close']) {
      thread.addEventListener(ended, () => {
        idle.delete(thread);
        started.delete(thread);
      });
    }
    return thread;
  };
  const run = async (
    task: Task,
    serve: Serve<Request, Reply> | undefined,
  ): Promise<Answer<Value>> => {
    if (isClosed) return { notDone: 'failed' };
    try {
      const [thread = start()] = idle;
      idle.delete(thread);
      const answer = await runTask<Task, Value, Request, Reply>(thread, task, limits, serve);
      if ('value' in answer && limits.isNewForEach !== true) idle.add(thread);
      else thread.terminate();
      return answer;
    } catch {
      return { notDone: 'failed' };
    }
  };
  return {
    ask: async (task, owner, serve) => {
      const hasEntered = await limiter.enter(owner);
      const answer = hasEntered ? await run(task, serve) : { notDone: 'busy' as const };
      if (hasEntered) limiter.leave(owner);
      counts['value' in answer ? 'done' : answer.notDone] += 1;
      return answer;
    },
    running: limiter.running,
    waiting: limiter.waiting,
    counts,
    close: () => {
      isClosed = true;
      for (const thread of started) thread.terminate();
    },
  };
}

function runTask<Task, Value, Request, Reply>(
  thread: Worker,
  task: Task,
  { startMs, taskMs, maxGrowth }: ThreadLimits,
  serve: Serve<Request, Reply> | undefined,
): Promise<Answer<Value>> {
  const { promise, resolve } = Promise.withResolvers<Answer<Value>>();
  const post = (message: ToThread<Task, Reply>, transfer: ArrayBuffer[] = []) =>
    thread.postMessage(message, transfer);
  const startTimer = (ms: number | undefined, work: () => void) =>
    ms === undefined ? undefined : machine.setTimeout(work, ms);
  const giveUp = (notDone: WhyNotDone) => () => resolve({ notDone });
  let timer = startTimer(startMs, giveUp('busy'));
  // An answer that has arrived counts, even if the event loop was too busy to read it in time.
  const isLate = () => void machine.nextTurn().then(giveUp('late'));
  const reply = async (request: Request) => {
    const found = await serve?.(request);
    post({ reply: found as Reply }, found instanceof ArrayBuffer ? [found] : []);
  };
  const fail = (error: unknown) =>
    resolve({ notDone: 'failed', error: error instanceof Error ? error : Error(String(error)) });
  thread.onmessage = ({ data }: MessageEvent<FromThread<Value, Request>>) => {
    if (data !== 'started' && 'request' in data) return void reply(data.request).catch(fail);
    machine.clearTimeout(timer);
    if (data === 'started') timer = startTimer(taskMs, isLate);
    else if ('value' in data) resolve(data);
    else fail(data.error);
  };
  const ended = (event: Event) => {
    machine.clearTimeout(timer);
    fail((event as ErrorEvent).message ?? 'the thread ended');
  };
  thread.addEventListener('error', ended, { once: true });
  thread.addEventListener('close', ended, { once: true });
  const before = maxGrowth ? process.memoryUsage.rss() : 0;
  const check = maxGrowth && {
    name: maxGrowth.name,
    work: () => {
      if (process.memoryUsage.rss() - before > maxGrowth.bytes) resolve({ notDone: 'failed' });
    },
  };
  const guard = check && every(maxGrowth.checkMs, check);
  post({ task });
  return promise.finally(() => {
    guard?.stop();
    machine.clearTimeout(timer);
    thread.removeEventListener('error', ended);
    thread.removeEventListener('close', ended);
  });
}

/**
 * The side of the thread. `run` may ask the other side for one thing at a time. `prepare` loads
 * what a task needs, before its time starts.
 */
export function answerTasks<Task, Value, Request = never, Reply = never>(
  run: (task: Task, ask: (request: Request) => Promise<Reply>) => Value | Promise<Value>,
  prepare?: (task: Task) => Promise<void>,
): void {
  const thread = globalThis as unknown as Worker;
  const post = (message: FromThread<Value, Request>) => thread.postMessage(message);
  let take: ((reply: Reply) => void) | undefined;
  const ask = (request: Request) => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    take = resolve;
    post({ request });
    return promise;
  };
  thread.addEventListener('message', ({ data }: MessageEvent<ToThread<Task, Reply>>) => {
    if ('reply' in data) return take?.(data.reply);
    const answer = async () => {
      await prepare?.(data.task);
      post('started');
      post({ value: await run(data.task, ask) });
    };
    answer().catch((error: unknown) =>
      post({ error: error instanceof Error ? error : Error(String(error)) }),
    );
  });
}
