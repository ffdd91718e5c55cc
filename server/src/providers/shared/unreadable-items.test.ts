// An unreadable item affects only itself: the others are read, and unreadable ones are counted.
import { expect, test } from 'bun:test';
import { z } from 'zod';
import { isUnreadable, readAnswer, UnreadableAnswer } from './answer-items.ts';

const Item = z.object({ url: z.string() });
const Answer = z.object({
  kind: z.string(),
  web: z.object({ results: z.array(Item) }).optional(),
  news: z.array(Item).optional(),
});

const places = [['web', 'results'], ['news']];

function read([body]: readonly unknown[]): { url: string; item: number }[] {
  const { kind, web, news } = Answer.parse(body);
  if (kind !== 'answer') throw new UnreadableAnswer('no answer');
  return [...(web?.results ?? []), ...(news ?? [])].map(({ url }, item) => ({ url, item }));
}

const found = (body: unknown) => {
  const answer = readAnswer([body], places, read);
  expect(answer.defect).toBeUndefined();
  return {
    items: answer.value.map(({ url, item }) => [url, answer.originalItem(0, item)]),
    leftOut: [answer.leftOut, answer.of],
  };
};

const expectUnreadable = (body: unknown) => expect(() => found(body)).toThrow(UnreadableAnswer);

test('an answer without unreadable items is read as it is', () => {
  const body = { kind: 'answer', web: { results: [{ url: 'a' }] }, news: [{ url: 'b' }] };
  expect(found(body)).toEqual({
    items: [
      ['a', 0],
      ['b', 1],
    ],
    leftOut: [0, 0],
  });
});

test('unreadable items are left out, and the others keep their place in the answer', () => {
  const body = {
    kind: 'answer',
    web: { results: [{}, { url: 'a' }, null, { url: 'b' }] },
    news: [{ url: 5 }, { url: 'c' }],
  };
  expect(found(body)).toEqual({
    items: [
      ['a', 1],
      ['b', 3],
      ['c', 5],
    ],
    leftOut: [3, 6],
  });
});

test('an answer is unreadable without its envelope, or with unreadable items only', () => {
  expectUnreadable({ kind: 'else', news: [{ url: 'a' }] });
  expectUnreadable({ kind: 'answer', news: [{}, 1] });
  expectUnreadable({ kind: 'answer', web: 5, news: 7 });
  expectUnreadable(undefined);
  expectUnreadable([[[]]]);
});

test('an answer of far too many items is not searched for what is wrong with it', () => {
  const items = (count: number) => ({
    kind: 'answer',
    news: [{}, ...Array.from({ length: count }, () => ({ url: 'a' }))],
  });
  expect(found(items(999)).leftOut).toEqual([1, 1000]);
  expectUnreadable(items(1000));
});

test('several replies are read together, each item from its own', () => {
  const bodies = [
    { kind: 'answer', news: [{}, { url: 'a' }] },
    { kind: 'answer', news: [0, 0, { url: 'b' }] },
  ];
  const answer = readAnswer(bodies, places, (all) =>
    all.flatMap((body, reply) => read([body]).map((hit) => ({ ...hit, reply }))),
  );
  expect(answer.value.map(({ reply, item }) => answer.originalItem(reply, item))).toEqual([1, 2]);
  expect([answer.leftOut, answer.of]).toEqual([3, 5]);
});

test('an error that the adapter did not declare is its defect, and the other items are read', () => {
  const defect = new TypeError('x is undefined');
  const readWithDefect = (bodies: readonly unknown[]) =>
    read(bodies).map((hit) => {
      if (hit.url === 'bad') throw defect;
      return hit;
    });
  const urls = (...all: string[]) => [{ kind: 'answer', news: all.map((url) => ({ url })) }];
  const answer = readAnswer(urls('a', 'bad'), places, readWithDefect);
  expect([answer.value.map(({ url }) => url), answer.leftOut, answer.defect]).toEqual([
    ['a'],
    1,
    defect,
  ]);
  expect(() => readAnswer(urls('bad'), places, readWithDefect)).toThrow(defect);
  expect([defect, new UnreadableAnswer(), Item.safeParse(1).error].map(isUnreadable)).toEqual([
    false,
    true,
    true,
  ]);
});
