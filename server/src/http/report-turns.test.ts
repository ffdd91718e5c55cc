// Reports begin one after the other while callers are served.
import { expect, test } from 'bun:test';
import { makeConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import { systemClock } from '../platform/clock.ts';
import { makeReportTurns } from './report-turns.ts';

test('reports wait for their turn only while callers are served, and a bounded time', () => {
  const all = makeConcurrencyLimiter({ maxRunning: 9, maxWaiting: 0, maxWaitMs: 1 }, systemClock);
  const waited: number[] = [];
  const sleep = (ms: number) => Promise.resolve(void waited.push(ms));
  const turn = makeReportTurns({ ticks: () => 0, sleep }, { all });
  for (let report = 0; report < 7; report += 1) expect(turn()).toBeUndefined();
  void all.enter('');
  for (let report = 0; report < 7; report += 1) void turn();
  expect(waited).toEqual([10, 20, 30, 40, 50, 60, 70]);
  const many = () => Array.from({ length: 10_000 }, turn);
  expect(many).toThrow('limit of concurrent requests');
  all.leave('');
  expect(turn()).toBeUndefined();
});
