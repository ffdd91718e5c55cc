// The queue in front of a collector: what is sent again, what is lost, and that both are counted.
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { makeOtlpQueue, registerOtlp } from './telemetry.ts';
import type { Sample } from './limit-gauges.ts';

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: object;
}

const received: number[][] = [];
let answers: Answer[] = [];
const collector = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const answer = answers.shift() ?? { status: 200 };
    if (answer.status === 200) received.push((await request.json()) as number[]);
    return Response.json(answer.body ?? {}, answer);
  },
});
afterAll(() => collector.stop(true));
beforeEach(() => {
  received.length = 0;
  answers = [];
});

const warnings: string[] = [];

function openQueue(endpoint = collector.url.origin) {
  const options = { endpoint, warn: (message: string) => void warnings.push(message) };
  return makeOtlpQueue<number>('logs', options, (batch) => JSON.stringify(batch));
}

/** What the metrics say about the queue that was opened last. */
function counted(): { sent: number; lost: number } {
  const totals: Record<string, number> = {};
  const total = (name: string, _help: string, _labels: unknown, read: () => Sample[]) => {
    totals[name] = read().find(({ labels }) => labels?.['signal'] === 'logs')?.value ?? 0;
  };
  registerOtlp({ total } as Parameters<typeof registerOtlp>[0]);
  return {
    sent: totals['trivium_otlp_sent_total'] ?? 0,
    lost: totals['trivium_otlp_lost_total'] ?? 0,
  };
}

async function sendAll(count: number, endpoint?: string) {
  const queue = openQueue(endpoint);
  for (let item = 0; item < count; item += 1) queue.add(item);
  await queue.stop();
  return counted();
}

describe('the queue of a collector', () => {
  test('sends everything in batches, in order', async () => {
    expect(await sendAll(1200)).toEqual({ sent: 1200, lost: 0 });
    expect(received.flat()).toEqual(Array.from({ length: 1200 }, (_, at) => at));
    expect(received.length).toBeGreaterThan(1);
    expect(Math.max(...received.map(({ length }) => length))).toBeLessThanOrEqual(512);
  });

  test('what is refused for good is lost, and the rest is sent', async () => {
    answers = [{ status: 400 }];
    expect(await sendAll(600)).toEqual({ sent: 88, lost: 512 });
    expect(warnings.at(-1)).toBe('the collector of logs answered with status 400');
  });

  test('a redirect is not followed, so the items reach no other host', async () => {
    answers = [{ status: 307, headers: { location: `${collector.url.origin}/elsewhere` } }];
    expect(await sendAll(10)).toEqual({ sent: 0, lost: 10 });
    expect(received).toEqual([]);
  });

  test('what the collector takes in part is counted as it says', async () => {
    answers = [{ status: 200, body: { partialSuccess: { rejectedLogRecords: '3' } } }];
    expect(await sendAll(10)).toEqual({ sent: 7, lost: 3 });
  });

  test.each([{ rejectedLogRecords: -5 }, { rejectedLogRecords: 1e99 }, { rejectedLogRecords: {} }])(
    'an answer that makes no sense (%j) counts for nothing',
    async (partialSuccess) => {
      answers = [{ status: 200, body: { partialSuccess } }];
      expect(await sendAll(10)).toEqual({ sent: 10, lost: 0 });
    },
  );

  test('what a busy collector refuses is sent again', async () => {
    const queue = openQueue();
    answers = [{ status: 503 }];
    for (let item = 0; item < 512; item += 1) queue.add(item);
    while (answers.length > 0) await Bun.sleep(1);
    await queue.stop();
    expect(received.flat()).toEqual(Array.from({ length: 512 }, (_, at) => at));
    expect(counted().lost).toBe(0);
  });

  test('a collector that is gone delays no one, and the queue has a limit', async () => {
    expect(await sendAll(30_000, 'http://127.0.0.1:1')).toEqual({ sent: 0, lost: 30_000 });
  });
});
