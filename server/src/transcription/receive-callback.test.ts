// Who makes room when too many unproven bodies are under way, and how a body is read in time.
import { GatewayError } from '@trivium/contract';
import { expect, test } from 'bun:test';
import type { UnprovenBody } from './job-context.ts';
import { chunksInTime, makeUnprovenBodies } from './receive-callback.ts';

const kilobyte = new Uint8Array(1024);
const patience = { pauseMs: 10_000, wholeMs: 10_000 };

function roomAt(limits: Parameters<typeof makeUnprovenBodies>[1]) {
  let now = 0;
  const limiter = makeUnprovenBodies(() => now, limits);
  return { limiter, pass: (ms: number) => void (now += ms) };
}

async function isCut({ cut }: UnprovenBody): Promise<boolean> {
  return (await Promise.race([cut, Promise.resolve('kept')])) !== 'kept';
}

test('a new body is always let in, and the one that comes most slowly makes room', async () => {
  const { limiter, pass } = roomAt({ maxBodies: 2, maxBytes: Infinity });
  const [fast, stalled] = [limiter.enter(), limiter.enter()];
  fast.keep(kilobyte);
  pass(2000);
  const late = limiter.enter();
  expect(await Promise.all([fast, stalled, late].map(isCut))).toEqual([false, true, false]);
  expect(limiter.buffered()).toEqual({ bodies: 2, bytes: 1024 });
});

test('where none had time to show how fast it is, the oldest makes room', async () => {
  const { limiter } = roomAt({ maxBodies: 2, maxBytes: Infinity });
  const three = [limiter.enter(), limiter.enter(), limiter.enter()];
  expect(await Promise.all(three.map(isCut))).toEqual([true, false, false]);
});

test('the bytes of all together are bounded, however small their chunks are', () => {
  const { limiter, pass } = roomAt({ maxBodies: 100, maxBytes: 10 * 1024 });
  for (let at = 0; at < 50; at += 1) {
    limiter.enter().keep(kilobyte);
    const drops = limiter.enter();
    for (let drop = 0; drop < 8; drop += 1) drops.keep(new Uint8Array(1));
    pass(100);
    expect(limiter.buffered().bytes).toBeLessThanOrEqual(10 * 1024);
  }
});

test('the gateway admits 1024 bodies, and 64 MB of them', () => {
  const limiter = makeUnprovenBodies(() => 0);
  for (let count = 0; count < 1030; count += 1) limiter.enter();
  expect(limiter.buffered().bodies).toBe(1024);
  const megabyte = new Uint8Array(1024 * 1024);
  for (let count = 0; count < 70; count += 1) limiter.enter().keep(megabyte);
  expect(limiter.buffered().bytes).toBe(64 * megabyte.length);
});

test('who has left takes no room, and leaving twice gives none away', () => {
  const { limiter } = roomAt({ maxBodies: 2, maxBytes: 10_000 });
  const body = limiter.enter();
  body.keep(kilobyte);
  body.leave();
  body.leave();
  body.keep(kilobyte);
  expect(limiter.buffered()).toEqual({ bodies: 0, bytes: 0 });
});

async function statusOf(reading: AsyncGenerator<Uint8Array>): Promise<number> {
  try {
    for await (const chunk of reading) expect(chunk.length).toBeGreaterThan(0);
    return 200;
  } catch (error) {
    return error instanceof GatewayError ? error.status : 500;
  }
}

test('a body that is too slow or has to make room is cut, and its rest is let go', async () => {
  let letGo = 0;
  const unfinished = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(kilobyte),
      cancel: () => void (letGo += 1),
    });
  const quick = { ...patience, pauseMs: 5 };
  expect(await statusOf(chunksInTime(unfinished(), quick))).toBe(408);
  expect(await statusOf(chunksInTime(unfinished(), { ...patience, wholeMs: 5 }))).toBe(408);
  const cut = Promise.resolve(new GatewayError('invalid_request', 'no room'));
  expect(await statusOf(chunksInTime(unfinished(), patience, cut))).toBe(400);
  expect(letGo).toBe(3);
  expect(await statusOf(chunksInTime(new Response('whole').body, patience))).toBe(200);
  expect(await statusOf(chunksInTime(null, patience))).toBe(200);
});
