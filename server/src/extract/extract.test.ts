// The timeouts of an extraction, and what is kept of a page when only a part was requested.
import { test } from 'bun:test';
import { expect, proves } from '../../../e2e/proves.ts';
import type { ExtractAsk } from '../negotiation/asks.ts';
import { timeForExtract } from '../platform/time-limits.ts';
import { asAsked, undelivered } from './extract-answer.ts';

const url = 'https://pages.example/one';
const page = {
  url,
  final_url: url,
  title: 'One',
  content: 'Four 🌍 words here',
  excerpts: ['first excerpt', 'second excerpt', 'third'],
  summary: 'A page.',
  links: ['https://pages.example/two'],
  images: [],
  raw: '{}',
};
const ask = (wanted: Partial<ExtractAsk>): ExtractAsk => ({ 'content.full_text': true, ...wanted });

test('it waits a minute, or five seconds longer than the page may take', () => {
  proves('calls.timeout.extract', () => {
    const waitFor = (pageMs?: number) => timeForExtract(0, pageMs, 1).vendorMs;
    expect([waitFor(), waitFor(1000), waitFor(90_000)]).toEqual([60_000, 6000, 95_000]);
  });
});

test('only what was asked for is shown, and an unchanged URL is not repeated', () => {
  const shown = asAsked({ ok: true, page }, url, ask({}));
  expect(shown).toEqual({
    ok: true,
    page: { url, title: 'One', content: 'Four 🌍 words here', raw: '{}' },
  });
});

test('caps are exact, and never leave half a character behind', () => {
  const caps = { max_per_url: 2, max_chars_per_excerpt: 5 };
  const shown = asAsked(
    { ok: true, page },
    url,
    ask({ 'content.max_chars': 6, 'content.excerpts': caps }),
  );
  expect(shown).toMatchObject({ ok: true, page: { excerpts: ['first', 'secon'] } });
  expect(shown.ok && shown.page.content).toBe('Four ');
  const exact = asAsked({ ok: true, page }, url, ask({ 'content.max_chars': 4 }));
  proves('requests.max-chars.exact', () => {
    expect(exact.ok && exact.page.content).toBe('Four');
    expect(undelivered([exact], ask({ 'content.max_chars': 4 }), [])).toEqual([]);
  });
});

test('a page without any content is a failure with a reason', () => {
  const empty = { url, raw: '{}', content: '  \n', excerpts: [] };
  expect(asAsked({ ok: true, page: empty }, url, ask({}))).toEqual({
    ok: false,
    url,
    error: expect.stringMatching(/no content/),
  });
  expect(asAsked(undefined, url, ask({}))).toMatchObject({ ok: false, url });
});

test('content that was granted but is missing gives one warning with the number of pages', () => {
  const without = asAsked({ ok: true, page: { url, raw: '{}', content: 'x' } }, url, ask({}));
  const wanted = ask({ 'content.summary': true });
  expect(undelivered([without, without], wanted, [])).toEqual([
    {
      code: 'param_approximated',
      param: 'content.summary',
      message: expect.stringMatching(/2 of 2 pages/),
    },
  ]);
  const given = [{ code: 'param_ignored', param: 'content.summary', message: '' }] as const;
  expect(undelivered([without], wanted, given)).toEqual([]);
});
