// A vendor that lists a page twice: the list is served as it is, except that a page of the gateway's
// second call to the vendor is removed if the first call had it.
import { expect, test } from 'bun:test';
import { type SearchEngineId, searchEngineIds } from '@trivium/contract';
import { playSearch } from './play.ts';
import { answerOf } from './vendor-answers.ts';

async function serve(id: SearchEngineId, asked: object, calls: readonly string[]) {
  const received = calls.map((names) => {
    const pages = [...names].map((name) => [`https://${name}.example/`] as [string]);
    return { status: 200, body: answerOf(id, pages) };
  });
  const now = '2026-11-15T12:00:00.000Z';
  const fixture = { asked: { query: 'x', ...asked }, now, sent: [], received };
  const { sent, answered } = await playSearch(id, { ...fixture, answered: {}, warned: [] });
  expect(sent).toHaveLength(calls.length);
  const { results } = answered as { results: { url: string }[] };
  return results.map(({ url }) => url.charAt('https://'.length)).join('');
}

test.each(searchEngineIds)('%s: a page that one call lists twice is served twice', async (id) => {
  expect(await serve(id, {}, ['aabca'])).toBe('aabca');
});

test.each([
  ['engine_d', { offset: 1, max_results: 5 }],
  ['engine_e', { offset: 1, max_results: 5 }],
] as const)('%s: so it is if the call begins before the offset', async (id, asked) => {
  expect(await serve(id, asked, ['abcbb'])).toBe('bcbb');
});

test.each([
  ['engine_d', { offset: 10, max_results: 20 }, 'cdcdabcdababcabc', 'abcabceedee'],
  ['engine_e', { max_results: 20 }, 'cdcdabcdab', 'cdcdabcdabeeee'],
] as const)('%s: a page of an earlier call is removed', async (id, asked, first, served) => {
  expect(await serve(id, asked, [first, 'aeedee'])).toBe(served);
});
