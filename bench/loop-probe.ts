// Watches the event loop: the longest time it did not turn, and the most it worked in one turn.
import { readFileSync } from 'node:fs';

export interface LoopFigures {
  /** By the clock: other processes and the disk are in it too. */
  wall_ms: number;
  /** Work of the loop's own thread in one turn; undefined where the system does not tell it. */
  own_ms: number | undefined;
}

const every_ms = 2;
const nanoseconds_per_ms = 1e6;

export function watchLoop(): () => LoopFigures {
  let [wall_ms, own_ms] = [0, 0];
  let [last, last_worked] = [performance.now(), readWorkedMs()];
  const timer = setInterval(() => {
    const [now, worked] = [performance.now(), readWorkedMs()];
    const late_ms = now - last - every_ms;
    wall_ms = Math.max(wall_ms, late_ms);
    own_ms = Math.max(own_ms, (worked ?? 0) - (last_worked ?? 0));
    [last, last_worked] = [now, worked];
  }, every_ms);
  return () => {
    clearInterval(timer);
    return { wall_ms, own_ms: last_worked === undefined ? undefined : own_ms };
  };
}

export function showLoop({ wall_ms, own_ms }: LoopFigures): string {
  const own = own_ms === undefined ? '' : `, longest work ${own_ms.toFixed(1)} ms`;
  return `longest block ${wall_ms.toFixed(1)} ms${own}`;
}

/** How long the loop's thread had a processor, in all. */
function readWorkedMs(): number | undefined {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
    return Number(text.split(' ')[0]) / nanoseconds_per_ms;
  } catch {
    return undefined;
  }
}
