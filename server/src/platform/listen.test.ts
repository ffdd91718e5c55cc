// The listener's error handler: no error shows the runtime's own page.
import { expect, test } from 'bun:test';
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

function fail(): never {
  throw new Error('a secret line');
}
