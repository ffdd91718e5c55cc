// Repeated work: runs a task until it is stopped, and counts its rounds for the metrics. The pause
// begins when a round has ended, so rounds never overlap, however slow the store is.
import type { Clock } from './clock.ts';
import { machine } from './machine.ts';

interface RepeatedTask {
  /** The name in the metrics. */
  name: string;
  /** A round may set the pause that follows it. */
  work: () => void | Promise<void | { pauseMs: number }>;
  /** An error ends only its round. */
  onError?: (error: unknown) => void;
  /** The first round begins at once instead of after a pause. */
  startsNow?: boolean;
  /** Rounds requested within this time become one. */
  gatherMs?: number;
}

export interface Repeated {
  /**
   * Begins a round without waiting for the end of the pause. If a round is running, begins after
   * it.
   */
  runNow: () => void;
  /** No round begins after this. A running round ends on its own. */
  stop: () => void;
  /** Resolves after a stop, once no round is running. */
  ended: Promise<void>;
}

/** Does not keep the process alive. */
export function every(usualPauseMs: number, task: RepeatedTask): Repeated {
  countersOf(task.name);
  let pauseMs = usualPauseMs;
  let [isDue, isStopped] = [task.startsNow === true, false];
  let pause = new AbortController();
  const run = async () => {
    for (;;) {
      if (!isDue) await wait(pauseMs, pause.signal);
      if (task.gatherMs !== undefined) await wait(task.gatherMs);
      if (isStopped) return;
      [isDue, pause] = [false, new AbortController()];
      pauseMs = (await runCounted(task))?.pauseMs ?? usualPauseMs;
    }
  };
  const endPause = () => {
    isDue = true;
    pause.abort();
  };
  return {
    ended: run(),
    runNow: endPause,
    stop: () => {
      isStopped = true;
      endPause();
    },
  };
}

/** Asks until the answer is yes. False if it is still no when the time is over. */
export async function poll(
  until: () => boolean | Promise<boolean>,
  clock: Pick<Clock, 'ticks' | 'sleep'>,
  giveUpAt: number,
  everyMs = 20,
): Promise<boolean> {
  for (;;) {
    if (await until()) return true;
    if (clock.ticks() >= giveUpAt) return false;
    await clock.sleep(everyMs);
  }
}

/** Runs the work once. An error is counted, and does not leave it. */
export async function runCounted<T>({
  name,
  work,
  onError,
}: {
  name: string;
  work: () => T | Promise<T>;
  onError?: ((error: unknown) => void) | undefined;
}): Promise<T | undefined> {
  const count = countersOf(name);
  const began = machine.ticks();
  try {
    return await work();
  } catch (error) {
    count.failures += 1;
    onError?.(error);
    return undefined;
  } finally {
    count.runs += 1;
    count.ms += machine.ticks() - began;
  }
}

async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  const options = { ref: false, ...(signal && { signal }) };
  await machine.sleep(ms, options).catch(() => undefined);
}

interface Counters {
  runs: number;
  failures: number;
  ms: number;
}

/** For this process, by the name of the task. */
const counted = new Map<string, Counters>();

function countersOf(name: string): Counters {
  const counters = counted.get(name) ?? { runs: 0, failures: 0, ms: 0 };
  counted.set(name, counters);
  return counters;
}

export function readRepeated(): ReadonlyMap<string, Readonly<Counters>> {
  return counted;
}
