// The listener: no error shows the runtime's own page, and only what is kept open may take long.
import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { listen } from './listen.ts';

test.each([
  ['throws', (): Response => fail()],
  ['rejects', () => Promise.reject(new Error('a secret line'))],
])('a handler that %s gets a response', async (_what, handle) => {
  const listener = listen('127.0.0.1', 0, handle, () => new Response('ours', { status: 500 }));
  try {
    const response = await fetch(listener.url);
    expect([response.status, await response.text()]).toEqual([500, 'ours']);
  } finally {
    await listener.drain();
  }
});

test('a response that is kept open may take longer than the limit of others', async () => {
  const answered = Promise.withResolvers<void>();
  const handle: Parameters<typeof listen>[2] = async ({ url }, { keepOpen }) => {
    if (url.endsWith('/kept')) keepOpen();
    await answered.promise;
    return new Response('late');
  };
  const onError = () => new Response('', { status: 500 });
  const listener = listen('127.0.0.1', 0, handle, onError, { answerTimeoutS: 1 });
  try {
    const kept = fetch(`${listener.url}/kept`);
    // It began later, so the limit of the kept one would be over when this one is cut off.
    const cut = await fetch(`${listener.url}/usual`).then(
      () => 'answered',
      () => 'cut off',
    );
    expect(cut).toBe('cut off');
    answered.resolve();
    expect(await (await kept).text()).toBe('late');
  } finally {
    answered.resolve();
    await listener.drain();
  }
}, 120_000);

test('a stop waits for a response that is read slowly, and for no connection without a request', async () => {
  const long = 'x'.repeat(20_000_000);
  const handle = ({ url }: Request) => new Response(url.endsWith('/long') ? long : 'short');
  const listener = listen('127.0.0.1', 0, handle, fail);
  const [kept, slow, half] = await Promise.all(
    ['GET / HTTP/1.1\r\nhost: a\r\n\r\n', 'GET /long HTTP/1.1\r\nhost: a\r\n\r\n', 'GET / HT'].map(
      (head) => openConnection(Number(new URL(listener.url).port), head),
    ),
  );
  await Promise.all([kept?.answered, slow?.answered]);
  slow?.socket.pause();
  const drained = listener.drain();
  expect(await kept?.closed).toContain('short');
  slow?.socket.resume();
  expect((await slow?.closed)?.length).toBeGreaterThan(long.length);
  await drained;
  expect(await half?.closed).toBe('');
});

/** `closed` resolves with what was received, and rejects if the connection was reset. */
async function openConnection(port: number, head: string) {
  const answered = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<string>();
  let received = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(head));
  socket.on('data', (bytes) => {
    received += bytes.toString();
    answered.resolve();
  });
  socket.on('error', closed.reject);
  socket.on('close', () => closed.resolve(received));
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, answered: answered.promise, closed: closed.promise };
}

function fail(): never {
  throw new Error('a secret line');
}
