// Signed addresses lose their signature, and other texts are unchanged.
import { expect, test } from 'bun:test';
import { hideSignatures } from './signed-address.ts';

const token = `upl_${'0a'.repeat(16)}.1789000000000.${'f'.repeat(40)}`;
const parameters = `X-Amz-Credential=AK%2F1&X-Amz-Signature=${'e'.repeat(64)}`;
const signed = `https://b.s3.amazonaws.com/k/upl_1?${parameters}`;

test.each([
  [`Cannot fetch https://g.example/files/${token}.`, `https://g.example/files/upl_`],
  [`Cannot fetch ${signed}: 403`, 'https://b.s3.amazonaws.com/k/upl_1?…'],
  [JSON.stringify({ error: `no ${signed}`, url: signed }), '/k/upl_1?…'],
  [JSON.stringify({ url: signed }).replaceAll('/', String.raw`\/`), '?…'],
  [`HTTPS://B.EXAMPLE/a?sig=${'e'.repeat(64)}`, 'HTTPS://B.EXAMPLE/a?…'],
  [`signature x-amz-signature=${'e'.repeat(64)} is wrong`, 'is wrong'],
  [`X-Goog-Signature%3D${'f'.repeat(40)}`, 'X-Goog-Signature%3D…'],
])('%s', (text, kept) => {
  const hidden = hideSignatures(text);
  expect(hidden).toContain(kept);
  expect(hidden).not.toContain('f'.repeat(40));
  expect(hidden).not.toContain('e'.repeat(64));
});

test.each([
  'Is it https://a.example/b.mp3? No.',
  'https://a.example/b#c',
  'upl_1.2.3 and X-Amz-Date=2026',
  '',
])('%j stays', (text) => expect(hideSignatures(text)).toBe(text));

test('takes time in proportion to the text', () => {
  const started = process.cpuUsage();
  for (const part of ['https://', 'https:/', 'upl_', 'x-amz-signature=', 'http://a?', '?']) {
    hideSignatures(part.repeat(200_000));
  }
  expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
});
