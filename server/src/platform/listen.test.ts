// The last resort of the listening socket: no failure shows the runtime's own page.
import { expect, test } from 'bun:test';
import { listen } from './listen.ts';

test.each([
  ['throws', (): Response => fail()],
  ['rejects', () => Promise.reject(new Error('a secret line'))],
])('a handler that %s is answered for', async (_what, handle) => {
  const door = listen('127.0.0.1', 0, handle, () => new Response('ours', { status: 500 }));
  try {
    const response = await fetch(door.url);
    expect([response.status, await response.text()]).toEqual([500, 'ours']);
  } finally {
    await door.drain();
  }
});

function fail(): never {
  throw new Error('a secret line');
}
