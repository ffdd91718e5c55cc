// Checks the rows of a waterfall: names, times and costs of calls, cached members and jobs.
import { expect, test } from 'bun:test';
import type { JobStep, RequestAttempt } from '@trivium/contract';
import { waterfallRows } from './waterfall-rows.ts';
import type { WaterfallRow } from './waterfall-rows.ts';

type Asked = Parameters<typeof waterfallRows>[0];

const arrived = '2026-11-15T12:02:00.000Z';
const request = { created_at: arrived, latency_ms: 812, cost_usd: 0.007, cost_parts: [] };
const nameOf = (provider: string) => provider.toUpperCase();
const call = (
  provider: string,
  start: number | null,
  latency: number,
  more: Partial<RequestAttempt> = {},
) =>
  ({
    ...{ provider, outcome: 'answered', status: null, message: null },
    ...{ started_ms: start, queued_ms: start === null ? null : 0, latency_ms: latency, ...more },
  }) satisfies RequestAttempt;
const part = (provider: string, cost_usd: number) =>
  ({ provider, cost_usd, basis: 'list' }) as const;
const rowsOf = (more: Pick<Asked, 'attempts'> & Partial<Asked>) =>
  waterfallRows({ ...request, ...more }, undefined, nameOf, 0).map(short);
const short = ({ name, start, duration, cost_usd }: WaterfallRow) => [
  name,
  start,
  duration,
  cost_usd,
];

test('after a failover only the call that answered has a cost', () => {
  const failed = { outcome: 'unavailable', status: 503 };
  const attempts = [call('a', 2, 40, failed), call('a', 542, 30, failed), call('b', 573, 239)];
  expect(rowsOf({ attempts })).toEqual([
    ['Request', 0, 812, 0.007],
    ['A, call 1', 2, 40, undefined],
    ['A, call 2', 542, 30, undefined],
    ['B', 573, 239, 0.007],
  ]);
});

test('members of a fusion have their own costs, also those from the cache', () => {
  const attempts = [call('a', 2, 300), call('b', 2, 900, { outcome: 'late' })];
  const costs = [part('a', 0.005), part('c', 0)];
  expect(rowsOf({ attempts, cost_parts: costs }).slice(1)).toEqual([
    ['A', 2, 300, 0.005],
    ['B', 2, 900, undefined],
    ['C, from the cache', undefined, 0, 0],
  ]);
});

test('several calls of one provider share a cost, and old rows have only durations', () => {
  const attempts = [call('a', null, 300), call('a', null, 200)];
  const [, first, last] = waterfallRows({ ...request, attempts }, undefined, nameOf, 0);
  expect(first).not.toHaveProperty('cost_usd');
  expect(last).toMatchObject({ cost_usd: 0.007, calls: 2, duration: 200 });
  expect(last?.start).toBeUndefined();
});

test('a job shows how long each of its states lasted, and one that runs has no end', () => {
  const step = (seconds: string, attempt_status: JobStep['attempt_status']) =>
    ({ at: arrived.replace('00.000', seconds), attempt: 1, attempt_status }) as const;
  const steps = [
    step('00.000', 'queued'),
    step('00.020', 'submitting'),
    step('00.310', 'waiting'),
    step('09.000', 'completed'),
  ];
  const job = { provider: 'stt_a', attempt: 1, cost_usd: 0.003962 } as const;
  const accepted = { ...request, attempts: [], latency_ms: 9 };
  const ended = { ...job, steps, finished_at: steps[3]?.at ?? '' };
  const rows = waterfallRows(accepted, ended, nameOf, 0);
  expect(rows.map(short)).toEqual([
    ['Request', 0, 9, undefined],
    ['Queued', 0, 20, undefined],
    ['Submission', 20, 290, undefined],
    ['Waiting for the provider', 310, 8690, undefined],
    ['Transcript ready', 9000, 0, 0.003962],
  ]);
  const running = { ...job, attempt: 2, finished_at: null, steps: steps.slice(0, 3) };
  const last = waterfallRows(accepted, running, nameOf, Date.parse(arrived) + 5000).at(-1);
  expect(last).toMatchObject({ running: true, start: 310, duration: 4690 });
  expect(last?.name).toEndWith(', submission 1');
  expect(last).not.toHaveProperty('cost_usd');
});
