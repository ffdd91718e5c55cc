// Long responses to clients that do not read: bounded memory, and readers are not disturbed.
import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { makeByteBudget } from './byte-budget.ts';
import { listen, longChars, makeUnsentResponses, setOwner } from './listen.ts';
import { machine } from './machine.ts';

const size = 2 * longChars;
const text = 'x'.repeat(size);
const long = () => new Response(text, { headers: { 'content-length': String(size) } });

/** More than the system takes for a client that does not read. */
const longBody = 16 * 1024 * 1024;
/** Longer than a client that reads may pause. */
const pauseMs = 5001;
const ignore = () => undefined;
const never = () => new Promise<void>(() => undefined);

test('what clients do not take stays within the limit, and the slowest is cut first', async () => {
  let ticks = 0;
  const unsentResponses = makeUnsentResponses(3 * size, { ticks: () => ticks, sleep: never });
  const cut: number[] = [];
  const held: Response[] = [];
  for (let at = 0; at < 20; at += 1) {
    ticks += pauseMs;
    held.push(await unsentResponses.hold(long(), { cut: () => cut.push(at), sent: ignore }));
    expect(unsentResponses.unsent()).toBeLessThanOrEqual(3 * size);
  }
  expect(cut).toEqual(Array.from({ length: 17 }, (_, at) => at));
  expect(await held[0]?.text().catch(String)).toContain('took too long');
  expect(await held[19]?.text()).toBe(text);
  await held[18]?.body?.cancel();
  expect(unsentResponses.unsent()).toBeLessThanOrEqual(size);
});

test('every character arrives, also at the edges of pieces', async () => {
  const unsentResponses = makeUnsentResponses(size, { ticks: () => 0, sleep: never });
  for (const shift of ['', 'a']) {
    const emoji = shift + '😀é'.repeat(200_000);
    const held = await unsentResponses.hold(new Response(emoji), { cut: ignore, sent: ignore });
    expect((await held.text()) === emoji).toBe(true);
  }
});

test('a response that was taken gives its connection back', async () => {
  let isSent = false;
  const unsentResponses = makeUnsentResponses(size, { ticks: () => 0, sleep: never });
  const held = await unsentResponses.hold(long(), { cut: ignore, sent: () => (isSent = true) });
  expect(isSent).toBe(false);
  await held.text();
  expect([isSent, unsentResponses.unsent()]).toEqual([true, 0]);
});

test('a client that reads slowly keeps its place before one that does not read', async () => {
  let ticks = 0;
  const unsentResponses = makeUnsentResponses(2 * size, { ticks: () => ticks, sleep: never });
  const cut: string[] = [];
  const reading = await unsentResponses.hold(long(), {
    cut: () => cut.push('reading'),
    sent: ignore,
  });
  ticks = 1;
  await unsentResponses.hold(long(), { cut: () => cut.push('idle'), sent: ignore });
  ticks = 2 * pauseMs;
  const reader = reading.body?.getReader();
  for (let pieces = 0; pieces < 3; pieces += 1) await reader?.read();
  await unsentResponses.hold(long(), { cut: () => cut.push('new'), sent: ignore });
  expect(cut).toEqual(['idle']);
});

test('a client that pauses for less than five seconds keeps its place', async () => {
  let ticks = 0;
  const unsentResponses = makeUnsentResponses(size, { ticks: () => ticks, sleep: never });
  const cut: string[] = [];
  for (const name of ['pausing', 'new']) {
    await unsentResponses.hold(long(), { cut: () => cut.push(name), sent: ignore });
    ticks += pauseMs - 2;
  }
  expect(cut).toEqual([]);
});

test('a client that takes a piece now and then keeps no place above the limit', async () => {
  let ticks = 0;
  const unsentResponses = makeUnsentResponses(size, { ticks: () => ticks, sleep: never });
  const cut: string[] = [];
  const slow = await unsentResponses.hold(long(), { cut: () => cut.push('slow'), sent: ignore });
  const reader = slow.body?.getReader();
  for (let seconds = 0; seconds < 30; seconds += 1) {
    ticks += 1000;
    if (seconds % 10 === 0) await reader?.read();
  }
  await reader?.read();
  await unsentResponses.hold(long(), { cut: () => cut.push('new'), sent: ignore });
  expect(cut).toEqual(['slow']);
});

test('a long response is counted for its account until it is taken', async () => {
  const bytes = makeByteBudget(3 * size, () => 0);
  const unsentResponses = makeUnsentResponses(size, { ticks: () => 0, sleep: never }, bytes);
  const owned = setOwner(long(), 'acc');
  const held = await unsentResponses.hold(owned, { cut: ignore, sent: ignore });
  expect([bytes.used(), bytes.open('acc').take(size), bytes.open('other').take(1)]).toEqual([
    size,
    'account',
    undefined,
  ]);
  await held.text();
  expect(bytes.used()).toBe(1);
});

test('responses that begin together are cut only if they do not go on', async () => {
  let ticks = 0;
  const waits: (() => void)[] = [];
  const sleep = () => new Promise<void>((resolve) => waits.push(resolve));
  const unsentResponses = makeUnsentResponses(size, { ticks: () => ticks, sleep });
  const held = await Promise.all(
    Array.from({ length: 10 }, () => unsentResponses.hold(long(), { cut: ignore, sent: ignore })),
  );
  expect(unsentResponses.unsent()).toBeGreaterThan(size);
  expect(waits).toHaveLength(1);
  ticks += pauseMs;
  const reader = held[4]?.body?.getReader();
  await reader?.read();
  await reader?.read();
  waits[0]?.();
  for (let turns = 0; turns < 3; turns += 1) await machine.nextTurn();
  expect(unsentResponses.unsent()).toBeLessThanOrEqual(size);
  expect((await reader?.read())?.done).toBe(false);
});

test.each([
  ['without progress', { stalledTimeoutS: 1, maxUnsentChars: 100 * size }],
  ['above the limit for all', { stalledTimeoutS: 255, maxUnsentChars: size }],
])(
  'a real listener cuts off clients that do not read: %s',
  async (_why, limits) => {
    const body = 'z'.repeat(longBody);
    const ends: Promise<unknown>[] = [];
    const handle = ({ signal }: Request) => {
      ends.push(new Promise((resolve) => signal.addEventListener('abort', resolve)));
      return new Response(body, { headers: { 'content-length': String(body.length) } });
    };
    const failed = () => new Response('', { status: 500 });
    const listener = listen('127.0.0.1', 0, handle, failed, limits);
    const sockets = Array.from({ length: 3 }, () => connectIdly(listener.url));
    try {
      while (ends.length < sockets.length) await Bun.sleep(10);
      // With nothing cut, this would wait until the time limit of the test.
      await Promise.all(ends.slice(0, 2));
    } finally {
      for (const socket of sockets) socket.destroy();
      await listener.drain();
    }
  },
  30_000,
);

/** Asks, and does not read the response. */
function connectIdly(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'),
  );
  socket.on('error', () => undefined);
  socket.once('data', () => socket.pause());
  return socket;
}

test('a real listener sends a long response whole beside clients that do not read', async () => {
  const body = 'y'.repeat(longBody);
  const handle = () =>
    new Response(body, { headers: { 'content-length': String(body.length), 'x-kept': 'yes' } });
  const failed = () => new Response('', { status: 500 });
  // On a busy machine a reader may rest for seconds, and would be cut where room is short.
  const limits = { stalledTimeoutS: 255, maxUnsentChars: 30 * longBody };
  const listener = listen('127.0.0.1', 0, handle, failed, limits);
  const sockets = Array.from({ length: 24 }, () => connectIdly(listener.url));
  try {
    const response = await fetch(listener.url);
    expect(response.headers.get('x-kept')).toBe('yes');
    expect((await response.text()).length).toBe(body.length);
  } finally {
    for (const socket of sockets) socket.destroy();
    await listener.drain();
  }
});
