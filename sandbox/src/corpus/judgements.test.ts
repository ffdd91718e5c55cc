// The relevance judgements refer to existing pages, and every query is unique.
import { expect, test } from 'bun:test';
import { corpus } from './index.ts';
import { judgements } from './judgements.ts';

test('every judged page is a page of the corpus', () => {
  const known = new Set(corpus.map(({ url }) => url));
  const judged = judgements.flatMap(({ relevant }) => Object.keys(relevant));
  expect(judged.filter((url) => !known.has(url))).toEqual([]);
});

test('there are enough questions, no two alike, and each has a page that answers it', () => {
  expect(judgements.length).toBeGreaterThanOrEqual(40);
  expect(new Set(judgements.map(({ query }) => query)).size).toBe(judgements.length);
  for (const { query, relevant } of judgements) {
    expect([query, Math.max(...Object.values(relevant))]).toEqual([query, 3]);
  }
});
