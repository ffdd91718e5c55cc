// Reports begin one after the other while callers are served, and an account reads a limited number of
// them at a time.
import { expect, test } from 'bun:test';
import { makeConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import { systemClock } from '../platform/clock.ts';
import type { HttpContext } from './context.ts';
import { metaRoutes } from './routes/api/meta.ts';
import { limitRead, makeReadLimit, makeReportTurns } from './limits.ts';

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

test('a scrape of the metrics takes its turn too', () => {
  const context = { readiness: {}, settings: { mode: 'live' } } as unknown as HttpContext;
  const scrape = metaRoutes(context).find(({ path }) => path === '/metrics');
  expect(scrape?.report).toBe(true);
});

const most = 16;

interface Limited {
  read: (account: string) => Promise<Response>;
  answer: (response: () => Response) => void;
}

/** Reads that wait until they are answered. */
function makeLimited(): Limited {
  const waiting: ((response: () => Response) => void)[] = [];
  const handle = () =>
    new Promise<Response>((resolve, reject) => {
      waiting.push((make) => {
        try {
          resolve(make());
        } catch (error) {
          reject(error);
        }
      });
    });
  const enter = makeReadLimit();
  return {
    read: async (account) => limitRead(enter(account), handle()),
    answer: (response) => waiting.shift()?.(response),
  };
}

const statusOf = (reading: Promise<Response>) =>
  reading.then(
    ({ status }) => status,
    (error: { status?: number }) => error.status,
  );

test('an account above its limit gets a 429, and other accounts read on', async () => {
  const { read, answer } = makeLimited();
  const first = Array.from({ length: most }, () => statusOf(read('one')));
  expect(await statusOf(read('one'))).toBe(429);
  const other = statusOf(read('other'));
  for (let at = 0; at <= most; at += 1) answer(() => Response.json({}));
  expect(new Set(await Promise.all([...first, other]))).toEqual(new Set([200]));
  const again = statusOf(read('one'));
  answer(() => Response.json({}));
  expect(await again).toBe(200);
});

test('an export counts until it is read or left, and a failure ends its count', async () => {
  const { read, answer } = makeLimited();
  const exported = (text: string) => () =>
    new Response(text, { headers: { 'content-type': 'text/csv' } });
  const exports: Response[] = [];
  for (let at = 0; at < most; at += 1) {
    const reading = read('one');
    answer(exported(`row ${at}`));
    exports.push(await reading);
  }
  expect(await statusOf(read('one'))).toBe(429);
  expect(await exports[0]?.text()).toBe('row 0');
  await exports[1]?.body?.cancel();
  for (let at = 0; at < 5; at += 1) {
    const failing = statusOf(read('one'));
    answer(() => {
      throw Object.assign(new Error('broken'), { status: 500 });
    });
    expect(await failing).toBe(500);
  }
  const reading = [statusOf(read('one')), statusOf(read('one'))];
  answer(() => Response.json({}));
  answer(() => Response.json({}));
  expect(await Promise.all(reading)).toEqual([200, 200]);
});
