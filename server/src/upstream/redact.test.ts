// Credentials in what a provider sends are redacted in every usual spelling and across pieces, and
// nothing else changes.
import { describe, expect, test } from 'bun:test';
import { makeRedactor, redactSent } from './redact.ts';

const credentials = [
  'fc-3f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c',
  'a+b/c==d"e\\f&g<h>i\'j k',
  '3f9a8b7c-6d5e-4f3a-2b1c-0d9e8f7a6b5c',
  '--==--==--',
  '$&$1(.*)[x]{9}^|?',
  'key-1',
];

const escapeAll = (text: string) =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const escapeOdd = (text: string) => text.replace(/[^A-Za-z0-9]/g, (one) => escapeAll(one));

const spellings: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'in JSON': (text) => JSON.stringify(text).slice(1, -1),
  'in JSON within JSON': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  'in JSON with its slashes escaped': (text) =>
    JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'in JSON with all but letters escaped': escapeOdd,
  'in JSON with everything escaped': escapeAll,
  'in an address': encodeURIComponent,
  'in an address, in small letters': (text) =>
    encodeURIComponent(text).replace(/%../g, (one) => one.toLowerCase()),
  'on a page': (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
};

describe.each(credentials)('the credential %j', (credential) => {
  const { clean, inPieces } = makeRedactor(['other-credential', credential]);
  test.each(Object.keys(spellings))('is taken out %s', (name) => {
    const spelled = spellings[name]?.(credential) ?? '';
    expect(clean(`before ${spelled} after ${spelled}`)).toBe('before [redacted] after [redacted]');
  });
  test('is taken out however a text is cut into pieces', () => {
    for (const spelled of Object.values(spellings).map((spell) => spell(credential))) {
      const text = `\u{1f600} before ${spelled}${spelled} after \u{1f600}`;
      for (let at = 0; at <= text.length; at += 1) {
        const { push, end } = inPieces();
        const parts = [push(text.slice(0, at)), push(text.slice(at)), end()];
        expect(parts.join('')).toBe('\u{1f600} before [redacted][redacted] after \u{1f600}');
      }
      const { push, end } = inPieces();
      const letters = text.split('').map((letter) => push(letter));
      expect([...letters, end()].join('')).toBe(clean(text));
    }
  });
});

test.each(['', 'u', 'ab', 'abc', 'user:', 'x-user:'])('base64 after %j is taken out', (before) => {
  // The base64 of these signs has the characters that differ in addresses.
  const credential = 'fc-3f9a8b7c>>>>>?????b1c0d9e8f7a6b5c';
  for (const after of ['', ':', ':password']) {
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.from(before + credential + after).toString(encoding);
      const left = makeRedactor([credential]).clean(text);
      expect(left).toContain('[redacted]');
      // What is left on either side holds no more than a character of it.
      const [head = '', tail = ''] = left.split('[redacted]');
      const known = Buffer.from(head, encoding).toString() + Buffer.from(tail, encoding).toString();
      expect(known).not.toMatch(/3f9a|b5c.{0,1}6b5c|7a6b/);
    }
  }
});

test('a text without a credential is the same text', () => {
  const { clean } = makeRedactor(['fc-3f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c']);
  const text = 'fc-3f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5 and fc 3f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c';
  expect(clean(text)).toBe(text);
  expect(makeRedactor([]).clean(text)).toBe(text);
  expect(makeRedactor(['a', '', 'key']).clean('a key')).toBe('a key');
});

test('the work grows with the text and not faster', () => {
  const credential = '"\\/-"\\/-"\\/-"\\/-';
  const { clean } = makeRedactor([credential]);
  const steps = (length: number) => {
    const hostile = ['\\', '"', '&#0', '%', '\\u00'].map((part) => part.repeat(length));
    const began = process.cpuUsage();
    for (const text of hostile) clean(text);
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  steps(20_000);
  const [short, long] = [steps(20_000), steps(320_000)];
  // Sixteen times the text: a quadratic search would take 256 times as long.
  expect(long / Math.max(short, 1000)).toBeLessThan(100);
});

test('every part of an answer is redacted, with the spare keys as well', () => {
  const [key, spare] = ['sk-first-0123456789', 'sk-spare-0123456789'];
  const upstream = { key, spare_keys: [spare], hosts: {} };
  const failed = redactSent({ ok: false, failure: 'uncertain', message: `no ${spare}` }, upstream);
  expect(failed).toEqual({ ok: false, failure: 'uncertain', message: 'no [redacted]' });
  const headers = new Headers({ 'retry-after': '3', 'x-echo': `Bearer ${key}`, link: spare });
  const sent = { ok: true as const, status: 200, headers, text: `a ${key} b` };
  const whole = redactSent(sent, upstream);
  if (!whole.ok) throw new Error('It is an answer.');
  expect([whole.text, ...whole.headers.entries()]).toEqual([
    'a [redacted] b',
    ['link', '[redacted]'],
    ['retry-after', '3'],
    ['x-echo', 'Bearer [redacted]'],
  ]);
  const pieces = [`a ${spare.slice(0, 5)}`, `${spare.slice(5)} b`];
  const inPieces = redactSent({ ...sent, text: '', pieces }, upstream);
  expect(inPieces.ok && inPieces.pieces?.join('')).toBe('a [redacted] b');
  const clean = { ...sent, headers: new Headers({ 'retry-after': '3' }), text: 'a' };
  expect(redactSent(clean, upstream)).toBe(clean);
});
