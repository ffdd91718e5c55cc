// Calls to a provider: what is retried and what never is, and that a credential never comes back
// out.
import { describe, expect, test } from 'bun:test';
import { proves } from '../../../e2e/verifies.ts';
import type { Outgoing, Sent } from '../platform/http.ts';
import { exa } from '../providers/exa.ts';
import { callProvider } from './call-provider.ts';
import type { House } from './house.ts';

const key = 'secret-"key"';
const chosen = {
  provider: exa,
  state: 'configured',
  upstream: { key, hosts: { api: 'http://upstream.example' } },
} as const;
const wire = { method: 'POST', path: '/search', body: { query: 'a', none: undefined } } as const;
const answer = (status: number, text = '{}', headers: Record<string, string> = {}): Sent => ({
  ok: true,
  status,
  text,
  headers: new Headers(headers),
});
const failure = (kind: 'unreachable' | 'timed_out' | 'uncertain'): Sent => ({
  ok: false,
  failure: kind,
  message: kind,
});

/** Plays the answers in order on a clock that only moves when somebody sleeps. */
async function call(answers: Sent[], timeout_ms = 10_000) {
  const sent: Outgoing[] = [];
  const slept: number[] = [];
  let ticks = 0;
  const house = {
    clock: {
      now: () => new Date(0),
      ticks: () => ticks,
      sleep: (ms: number) => {
        slept.push(ms);
        ticks += ms;
        return Promise.resolve();
      },
    },
    send: (outgoing: Outgoing) => {
      sent.push(outgoing);
      return Promise.resolve(answers[sent.length - 1] ?? failure('uncertain'));
    },
  } as unknown as House;
  const outcome = await callProvider(house, chosen, wire, { timeout_ms, max_bytes: 1000 });
  return { outcome, sent, slept };
}

describe('what goes out', () => {
  test('carries the credential in its header only, and leaves out what is undefined', async () => {
    const { sent } = await call([answer(200)]);
    expect(sent[0]).toMatchObject({ url: 'http://upstream.example/search', body: '{"query":"a"}' });
    expect(sent[0]?.headers['x-api-key']).toBe(key);
  });
});

describe('a second try', () => {
  const again: [string, Sent, number[]][] = [
    ['an address that cannot be reached', failure('unreachable'), [0]],
    ['a 429 that says to wait a moment', answer(429, '{}', { 'retry-after': '1' }), [1000]],
    ['a 503', answer(503), [500]],
  ];
  for (const [what, first, slept] of again) {
    test(`follows ${what}`, async () => {
      proves('calls.retry.connect', 'calls.retry.429', 'calls.retry.503');
      const heard = await call([first, answer(200)]);
      expect(heard.outcome.kind).toBe('answered');
      expect(heard.slept).toEqual(slept);
    });
  }
  test('is the last one', async () => {
    const heard = await call([answer(503), answer(503), answer(200)]);
    expect(heard.sent).toHaveLength(2);
    expect(heard.outcome.kind).toBe('refused');
  });

  const never: [string, Sent][] = [
    ['a timeout, for it may have been charged', failure('timed_out')],
    ['a connection that broke, for it may have been charged', failure('uncertain')],
    ['a 429 without a word on when', answer(429)],
    ['a 429 that asks for a long wait', answer(429, '{}', { 'retry-after': '60' })],
    ['a 500', answer(500)],
    ['a 400', answer(400)],
    ['a wrong key', answer(401)],
  ];
  for (const [what, first] of never) {
    test(`never follows ${what}`, async () => {
      proves('calls.retry.never-after-timeout');
      const heard = await call([first, answer(200)]);
      expect(heard.sent).toHaveLength(1);
      expect(heard.outcome.kind).toBe('refused');
    });
  }
  test('stays within the time budget', async () => {
    const { sent } = await call([answer(429, '{}', { 'retry-after': '2' }), answer(200)], 1500);
    expect(sent).toHaveLength(1);
  });
});

test('a credential that the provider echoes is removed from message and body', async () => {
  const body = { error: `bad key ${key}`, nested: [{ [key]: key }] };
  const { outcome } = await call([answer(401, JSON.stringify(body))]);
  expect(JSON.stringify(outcome)).not.toContain('secret-');
  expect(outcome).toMatchObject({
    kind: 'refused',
    refusal: { kind: 'unauthorized', status: 401 },
  });
});
