// An unreadable item affects only itself: the others are read, and unreadable ones are counted.
import { expect, test } from 'bun:test';
import { readAnswer } from './readable-items.ts';

interface Answer {
  kind: string;
  web?: { results: { url: string }[] };
  news?: { url: string }[];
}

const places = [['web', 'results'], ['news']];

function read([body]: readonly unknown[]): { url: string; item: number }[] {
  const { kind, web, news } = body as Answer;
  if (kind !== 'answer') throw new Error('no answer');
  return [...(web?.results ?? []), ...(news ?? [])].map(({ url }, item) => {
    if (typeof url !== 'string') throw new Error('no address');
    return { url, item };
  });
}

const found = (body: unknown) => {
  const answer = readAnswer([body], places, read);
  return (
    answer && {
      items: answer.value.map(({ url, item }) => [url, answer.originalItem(0, item)]),
      leftOut: [answer.leftOut, answer.of],
    }
  );
};

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
  expect(found({ kind: 'else', news: [{ url: 'a' }] })).toBeUndefined();
  expect(found({ kind: 'answer', news: [{}, 1] })).toBeUndefined();
  expect(found({ kind: 'answer', web: 5, news: 7 })).toBeUndefined();
  expect(found(undefined)).toBeUndefined();
  expect(found([[[]]])).toBeUndefined();
});

test('an answer of far too many items is not searched for what is wrong with it', () => {
  const items = (count: number) => ({
    kind: 'answer',
    news: [{}, ...Array.from({ length: count }, () => ({ url: 'a' }))],
  });
  expect(found(items(999))?.leftOut).toEqual([1, 1000]);
  expect(found(items(1000))).toBeUndefined();
});

test('several replies are read together, each item from its own', () => {
  const bodies = [
    { kind: 'answer', news: [{}, { url: 'a' }] },
    { kind: 'answer', news: [0, 0, { url: 'b' }] },
  ];
  const answer = readAnswer(bodies, places, (all) =>
    all.flatMap((body, reply) => read([body]).map((hit) => ({ ...hit, reply }))),
  );
  expect(answer?.value.map(({ reply, item }) => answer.originalItem(reply, item))).toEqual([1, 2]);
  expect([answer?.leftOut, answer?.of]).toEqual([3, 5]);
});
