// Calls to a provider: what is retried and what never is, and that a credential never comes back
// out.
import { describe, test } from 'bun:test';
import { expect, proves } from '../../../e2e/proves.ts';
import type { Outgoing, Sent } from '../platform/http-client.ts';
import { exa } from '../providers/exa/adapter.ts';
import { UnreadableAnswer } from '../providers/shared/answer-items.ts';
import { callProvider } from './call-provider.ts';
import type { Connection } from './context.ts';

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

/** Plays the answers in order on a clock that moves only in `sleep`. */
async function call(
  answers: Sent[],
  timeoutMs = 10_000,
  handling: Parameters<typeof callProvider>[4] = {},
) {
  const sent: Outgoing[] = [];
  const defects: unknown[] = [];
  const slept: number[] = [];
  let ticks = 0;
  const context: Connection = {
    metrics: { called: () => undefined, adapterFailed: (...defect) => defects.push(defect) },
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
  };
  const budget = { timeout_ms: timeoutMs, maxBytes: 1000 };
  const outcome = await callProvider(context, chosen, wire, budget, handling);
  return { outcome, sent, slept, defects };
}

describe('what goes out', () => {
  test('carries the credential in its header only, and leaves out what is undefined', async () => {
    const { sent } = await call([answer(200)]);
    expect(sent[0]).toMatchObject({ url: 'http://upstream.example/search', body: '{"query":"a"}' });
    const carrying = Object.entries(sent[0]?.headers ?? {}).filter(([, text]) =>
      text.includes(key),
    );
    expect(carrying).toEqual([['x-api-key', key]]);
  });
});

describe('a second try', () => {
  test('follows an address that cannot be reached', async () => {
    const { outcome, slept } = await call([failure('unreachable'), answer(200)]);
    proves('calls.retry.connect', () => expect([outcome.kind, slept]).toEqual(['answered', [0]]));
  });
  test('follows a 429 that names a short wait', async () => {
    const busy = answer(429, '{}', { 'retry-after': '1' });
    const { outcome, slept } = await call([busy, answer(200)]);
    proves('calls.retry.429', () => expect([outcome.kind, slept]).toEqual(['answered', [1000]]));
  });
  test('follows a 503', async () => {
    const { outcome, slept } = await call([answer(503), answer(200)]);
    proves('calls.retry.503', () => expect([outcome.kind, slept]).toEqual(['answered', [500]]));
  });
  test('is the last one', async () => {
    const called = await call([answer(503), answer(503), answer(200)]);
    expect(called.sent).toHaveLength(2);
    expect(called.outcome.kind).toBe('refused');
  });

  test('never follows a timeout, for the call may have been charged', async () => {
    const { outcome, sent } = await call([failure('timed_out'), answer(200)]);
    proves('calls.retry.never-after-timeout', () =>
      expect([outcome.kind, sent.length]).toEqual(['refused', 1]),
    );
  });
  const never: [string, Sent][] = [
    ['a connection that broke, for it may have been charged', failure('uncertain')],
    ['a 429 without a word on when', answer(429)],
    ['a 429 that asks for a long wait', answer(429, '{}', { 'retry-after': '60' })],
    ['a 500', answer(500)],
    ['a 400', answer(400)],
    ['a wrong key', answer(401)],
  ];
  for (const [what, first] of never) {
    test(`never follows ${what}`, async () => {
      const called = await call([first, answer(200)]);
      expect(called.sent).toHaveLength(1);
      expect(called.outcome.kind).toBe('refused');
    });
  }
  test('stays within the time budget', async () => {
    const { sent } = await call([answer(429, '{}', { 'retry-after': '2' }), answer(200)], 2000);
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

test('an error that the adapter did not declare is reported as a defect of the gateway', async () => {
  const failing = (error: Error) => ({
    awaits: 'a search answer',
    read: {
      run: () => {
        throw error;
      },
      plan: undefined,
    },
  });
  const refused = {
    kind: 'refused',
    refusal: {
      kind: 'uncertain',
      message: 'the provider answered with something that is not a search answer',
    },
  };
  const defect = new TypeError('x is undefined');
  const ours = await call([answer(200)], 10_000, failing(defect));
  expect(ours.outcome).toMatchObject(refused);
  expect(ours.defects).toEqual([['engine_a', defect]]);
  const theirs = await call([answer(200)], 10_000, failing(new UnreadableAnswer()));
  expect(theirs.outcome).toMatchObject(refused);
  expect(theirs.defects).toEqual([]);
});
