// What the log keeps of a message, whatever the caller asked for.
import { expect, test } from 'bun:test';
import {
  askedIn,
  parametersText,
  readDetail,
  readParameters,
  withoutAsked,
  writeDetail,
} from './request-detail.ts';

const limit = 2000;

test('each text that was asked is replaced, and the rest stays', () => {
  const message = 'The page https://a.example/b cannot be read, nor https://c.example/.';
  const asked = ['https://a.example/b', 'https://c.example/'];
  expect(withoutAsked(message, asked, limit)).toBe('The page [asked] cannot be read, nor [asked].');
});

test('texts that overlap share one mark, and a short text is part of ordinary words', () => {
  expect(withoutAsked('abcdefgh is', ['abcde', 'cdefgh', 'is'], limit)).toBe('[asked] is');
});

test('the mark is not searched, so asking for parts of it does not grow the message', () => {
  const pieces = ['aske', 'sked', '[ask', 'd]d]', 'ked]', '[asked]'];
  const asked = ['Must', ...Array.from({ length: 4 }, () => pieces).flat()];
  const message = 'Must be an absolute URL. '.repeat(20);
  expect(withoutAsked(message, asked, limit)).toBe('[asked] be an absolute URL. '.repeat(20));
});

test('a long text is replaced as a whole, also where the message is cut inside it', () => {
  const page = `https://a.example/${'secret/'.repeat(1000)}`;
  expect(withoutAsked(`No ${page} here`, [page], limit)).toBe('No [asked]…');
  const late = `${'x '.repeat(995)}${page}`;
  expect(withoutAsked(late, [page], limit)).toBe(`${'x '.repeat(995)}[asked]…`);
  // Behind a long text, the beginning of another one may end behind what is searched.
  const second = `https://b.example/${'hidden/'.repeat(100)}`;
  const message = `${'y'.repeat(limit - 10)}${second}`;
  expect(withoutAsked(`${page.slice(0, 1500)}${message}`, [page, second], limit)).toBe(
    `[asked]${'y'.repeat(limit - 1501)}…`,
  );
});

test('a message is never longer than its limit', () => {
  for (const asked of [[], ['aaaa'], ['bbbb', 'aaab']]) {
    for (const message of ['aaaab'.repeat(3000), 'b'.repeat(limit), 'aaaa'.repeat(limit / 4)]) {
      expect(withoutAsked(message, asked, limit).length).toBeLessThanOrEqual(limit);
    }
  }
});

test('the log reads as many pages as a request may have', () => {
  const urls = [1, ...Array.from({ length: 100_000 }, () => 'page')];
  expect(askedIn('extract', { urls })).toHaveLength(19);
});

test('the parameters are what was sent beside what was asked, without signatures', () => {
  expect(parametersText('search', { query: 'a' })).toBeNull();
  expect(parametersText('search', 'query')).toBeNull();
  expect(parametersText('search', ['query'])).toBeNull();
  const page = 'https://a.example/b?X-Amz-Signature=secret"quoted';
  const sent = { audio_url: page, webhook: page, provider: 'auto', query: '\0' };
  const text = parametersText('transcription', sent);
  expect(text).not.toContain('secret');
  expect(readParameters(text)).toMatchObject({ provider: 'auto', query: '\0' });
  expect(readParameters(text)).not.toHaveProperty('audio_url');
});

test('parameters that are long are not kept', () => {
  expect(parametersText('search', { query: 'a', include_domains: ['b'.repeat(5000)] })).toBeNull();
});

test('an attempt has its start after the arrival, with the wait for a slot, and an old one has none', () => {
  const nothing = { warnings: [], error: null, held: null, parts: [] };
  const call = { provider: 'engine_a', outcome: 'answered', ms: 300 };
  const attempts = [
    { ...call, at: 1002.4, queuedMs: 0 },
    { ...call, at: 1300.6, queuedMs: 120 },
    { ...call, at: undefined },
  ];
  const text = writeDetail({ ...nothing, attempts }, [], 1000);
  expect(text).toContain('"t":[2,[301,120],null]');
  const times = readDetail(text).attempts.map(({ at, queuedMs }) => [at, queuedMs]);
  expect(times).toEqual([
    [2, 0],
    [301, 120],
    [undefined, undefined],
  ]);
  const [old] = readDetail('{"a":[["engine_a","answered",300]]}').attempts;
  expect(old).toEqual({ ...call, at: undefined, queuedMs: undefined } as never);
});

test('a record has few parts, each of a limited length, and nothing is recorded of nothing', () => {
  const nothing = { attempts: [], warnings: [], error: null, held: null, parts: [] };
  expect(writeDetail(nothing, [], 0)).toBeNull();
  const long = 'm'.repeat(3000);
  const attempt = { provider: 'engine_a', outcome: 'answered', ms: 1, message: long } as const;
  const warning = { code: 'ignored', param: 'p', message: long } as const;
  const many = {
    ...{ attempts: Array(70).fill(attempt), warnings: Array(70).fill(warning), routing: long },
    ...{ error: long, held: null, parts: [] },
  };
  const text = writeDetail(many, [], 0) ?? '';
  const { a, w, e, q } = JSON.parse(text) as Record<'a' | 'w', unknown[]> &
    Record<'e' | 'q', string>;
  expect([a.length, w.length]).toEqual([60, 40]);
  const [first] = a as unknown[][];
  const messages = [String(first?.[4]), (w[0] as { message: string }).message, e, q];
  expect(messages.map(({ length }) => length)).toEqual([500, 500, 2000, 500]);
});
