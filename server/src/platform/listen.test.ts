// The listener: no error shows the runtime's own page, and only what is kept open may take long.
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

function fail(): never {
  throw new Error('a secret line');
}
