// Measures the event loop: its longest block, and the most work in one iteration.
import { readFileSync } from 'node:fs';

export interface LoopFigures {
  /** Wall-clock time, which includes other processes and the disk. */
  wallMs: number;
  /** CPU time of the loop's thread in one iteration; undefined if the system does not report it. */
  ownMs: number | undefined;
}

const everyMs = 2;
const nanosecondsPerMs = 1e6;

export function watchLoop(): () => LoopFigures {
  let [wallMs, ownMs] = [0, 0];
  let [last, lastWorked] = [performance.now(), readWorkedMs()];
  const timer = setInterval(() => {
    const [now, worked] = [performance.now(), readWorkedMs()];
    const lateMs = now - last - everyMs;
    wallMs = Math.max(wallMs, lateMs);
    ownMs = Math.max(ownMs, (worked ?? 0) - (lastWorked ?? 0));
    [last, lastWorked] = [now, worked];
  }, everyMs);
  return () => {
    clearInterval(timer);
    return { wallMs, ownMs: lastWorked === undefined ? undefined : ownMs };
  };
}

export function showLoop({ wallMs, ownMs }: LoopFigures): string {
  const own = ownMs === undefined ? '' : `, longest work ${ownMs.toFixed(1)} ms`;
  return `longest block ${wallMs.toFixed(1)} ms${own}`;
}

/** The total CPU time of the loop's thread. */
function readWorkedMs(): number | undefined {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
    return Number(text.split(' ')[0]) / nanosecondsPerMs;
  } catch {
    return undefined;
  }
}
