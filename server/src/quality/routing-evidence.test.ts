// What routing by quality looks up: nothing before the first round, the account's own evidence
// before that of all, the narrowest class first, and never more work than its bounds.
import { expect, test } from 'bun:test';
import { dayOf } from '../requests/core/index.ts';
import type { Database, Row } from '../store/index.ts';
import { makeRoutingEvidence } from './routing-evidence.ts';

const plain = { tool: 'search', language: '', category: '', freshness: '' };
const now = new Date('2026-11-18T12:00:00Z');
const clock = { now: () => now, ticks: () => 0, sleep: () => Promise.resolve() };

const row = (engine: string, quality: number, more: object = {}): Row => ({
  ...{ source: 'agreement', engine, ...plain, day: dayOf(now.getTime()) - 1 },
  ...{ observations: 40, quality: 40e6 * quality, squares: 40e6 * quality * quality },
  ...more,
});

/** The same of all accounts, as the votes of so many of them. */
const total = (engine: string, quality: number, more: object = {}, votes = 3): Row => ({
  ...row(engine, quality),
  ...{ weight: votes * 1e9, weight_squares: (votes * 1e12) / 40, quality: votes * 1e9 * quality },
  ...{ squares: votes * 1e9 * quality * quality, ...more },
});

/** `ofAccounts` by id; the empty one is all of them. */
function open(ofAccounts: Record<string, Row[]>) {
  const asked: string[] = [];
  const run = (_sql: string, values: unknown[]) => {
    const account = typeof values[0] === 'string' ? values[0] : '';
    asked.push(account);
    return Promise.resolve(ofAccounts[account] ?? []);
  };
  const database = { reader: { run } } as unknown as Database;
  return { evidence: makeRoutingEvidence({ database, clock }), asked };
}

const means = (tallies: ReadonlyMap<string, { n: number; sum: number }>) =>
  Object.fromEntries([...tallies].map(([id, { n, sum }]) => [id, Number((sum / n).toFixed(3))]));

test('own evidence before that of all, and what callers say before agreement', async () => {
  const { evidence } = open({
    '': [total('engine_a', 0.5), total('engine_c', 0.6)],
    acct_1: [row('engine_a', 0.7), row('engine_c', 0.2)],
    acct_2: [
      ...[row('engine_a', 0.7), row('engine_c', 0.2)],
      ...[
        row('engine_a', 0.1, { source: 'feedback' }),
        row('engine_d', 0.9, { source: 'feedback' }),
      ],
    ],
    // One engine alone cannot be compared.
    acct_3: [row('engine_a', 0.9, { source: 'feedback' }), row('engine_c', 0.9)],
  });
  const accounts = [undefined, 'acct_1', 'acct_2', 'acct_3', 'acct_4'];
  for (const id of accounts) {
    expect(evidence.talliesFor(id, plain).size).toBe(0);
    if (id) evidence.noteUse(id, plain);
  }
  await evidence.refresh();
  const all = { engine_a: 0.5, engine_c: 0.6 };
  expect(accounts.map((id) => means(evidence.talliesFor(id, plain)))).toEqual([
    ...[all, { engine_a: 0.7, engine_c: 0.2 }, { engine_a: 0.1, engine_d: 0.9 }, all, all],
  ]);
});

const news = { ...plain, category: 'news' };
const ofNews = [
  ...[total('engine_a', 0.5), total('engine_c', 0.6)],
  ...[total('engine_a', 0.1, { category: 'news' }), total('engine_c', 0.2, { category: 'news' })],
];
const newsTallies = { engine_a: 0.1, engine_c: 0.2 };

test('a class is looked up from the round after a search in it was paid for', async () => {
  const { evidence } = open({ '': ofNews });
  await evidence.refresh();
  expect(means(evidence.talliesFor('acct_1', news))['engine_a']).toBeGreaterThan(0.1);
  await evidence.refresh();
  expect(means(evidence.talliesFor('acct_1', news))['engine_a']).toBeGreaterThan(0.1);
  evidence.noteUse('acct_1', news);
  await evidence.refresh();
  expect(means(evidence.talliesFor('acct_2', news))).toEqual(newsTallies);
});

test('searches that are refused take no place of a class, and idle classes make room', async () => {
  const { evidence } = open({ '': ofNews });
  const languages = (from: number, to: number) =>
    Array.from({ length: to - from }, (_none, at) => ({ ...plain, language: `l${from + at}` }));
  for (const searched of languages(0, 60)) evidence.talliesFor('acct_poor', searched);
  evidence.noteUse('acct_1', news);
  await evidence.refresh();
  expect(means(evidence.talliesFor('acct_1', news))).toEqual(newsTallies);
  // One account that pays for many classes does not take the place of one that others use.
  for (let round = 0; round < 50; round += 1) {
    for (const searched of languages(round * 60, round * 60 + 60)) {
      evidence.noteUse('acct_rich', searched);
      evidence.noteUse('acct_rich', searched);
    }
    for (const account of ['acct_1', 'acct_2']) evidence.noteUse(account, news);
    await evidence.refresh();
    expect(means(evidence.talliesFor('acct_3', news))).toEqual(newsTallies);
  }
});

test('one account does not decide for others, only for itself', async () => {
  const german = { ...plain, language: 'de' };
  const own = [row('engine_a', 0.1, german), row('engine_c', 0.9, german)];
  const { evidence } = open({
    '': [
      ...[total('engine_a', 0.5), total('engine_c', 0.4)],
      ...[total('engine_a', 0.1, german, 1), total('engine_c', 0.9, german, 1)],
    ],
    acct_1: own,
  });
  for (const id of ['acct_1', 'acct_2']) evidence.noteUse(id, german);
  await evidence.refresh();
  expect(means(evidence.talliesFor('acct_1', german))).toEqual({ engine_a: 0.1, engine_c: 0.9 });
  expect(means(evidence.talliesFor('acct_2', german))['engine_a']).toBeGreaterThan(0.3);
});

test('an engine that became worse yesterday is known by that day', async () => {
  const day = dayOf(now.getTime());
  const better = Array.from({ length: 30 }, (_none, at) =>
    total('engine_a', 0.8, { day: day - at - 1 }),
  );
  const { evidence } = open({
    '': [...better, total('engine_a', 0.2, { day }), total('engine_c', 0.6, { day })],
  });
  await evidence.refresh();
  expect(means(evidence.talliesFor(undefined, plain))).toEqual({ engine_a: 0.2, engine_c: 0.6 });
});

test('accounts beyond the bound are not read, and those that stopped searching neither', async () => {
  const { evidence, asked } = open({});
  for (let one = 0; one < 700; one += 1) evidence.noteUse(`acct_${one}`, plain);
  await evidence.refresh();
  expect(asked.length).toBe(501);
  for (let round = 0; round < 40; round += 1) await evidence.refresh();
  asked.length = 0;
  await evidence.refresh();
  expect(asked).toEqual(['']);
});
