// Measures how late the event loop is: while it is busy, every request of this process waits.
import { Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Clock } from './clock.ts';
import { every } from './every.ts';
import type { Repeated } from './every.ts';

const everyMs = 250;
const bucketsS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function measureEventLoop(registry: Registry, clock: Pick<Clock, 'ticks'>): Repeated {
  const delay = new Histogram({
    name: 'trivium_event_loop_delay_seconds',
    help: 'How late timers of the process run, measured four times a second.',
    buckets: bucketsS,
    registers: [registry],
  });
  let last = clock.ticks();
  const measure = () => {
    const now = clock.ticks();
    delay.observe(Math.max(0, now - last - everyMs) / 1000);
    last = now;
  };
  return every(everyMs, { name: 'event_loop', work: measure });
}
