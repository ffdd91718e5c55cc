// The history is bounded, belongs to one person and account, and survives a damaged storage.
import { expect, test } from 'bun:test';
import { openHistory, titleOf } from './history.ts';
import type { HistoryEntry } from './history.ts';

const state = { provider: 'auto', way: 'one', panel: [], filled: { query: 'wind' } } as const;
const entry: HistoryEntry = {
  at: '2026-11-15T12:00:00.000Z',
  tool: 'search',
  state,
  cost_usd: 0.007,
  error: null,
};

function makeStorage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
}

test('the newest come first, the same request counts once, and fifty are kept', () => {
  const history = openHistory(makeStorage(), 'ada', 'acct');
  for (let at = 0; at < 80; at += 1) {
    const filled = { query: `wind ${at}` };
    history.add({ ...entry, at: `t${at}`, state: { ...state, filled } });
  }
  history.add({ ...entry, at: 'again', state: { ...state, filled: { query: 'wind 79' } } });
  const entries = history.read();
  expect(entries).toHaveLength(50);
  expect(entries[0]?.at).toBe('again');
  expect(entries[1]?.at).toBe('t78');
});

test('another person or account sees nothing of it', () => {
  const storage = makeStorage();
  openHistory(storage, 'ada', 'one').add(entry);
  expect(openHistory(storage, 'ada', 'two').read()).toEqual([]);
  expect(openHistory(storage, 'bob', 'one').read()).toEqual([]);
  openHistory(storage, 'ada', 'one').clear();
  expect(storage.items.size).toBe(0);
});

test.each(['no JSON', '{"a":1}', '[null, 1, {"at":"x"}, {"at":1,"tool":"search","state":{}}]'])(
  'a damaged storage %s is an empty history',
  (text) => {
    const storage = { ...makeStorage(), getItem: () => text };
    expect(openHistory(storage, 'ada', 'one').read()).toEqual([]);
  },
);

test('a request that is too large is not kept, and a full storage breaks nothing', () => {
  const filled = { query: 'x'.repeat(30_000) };
  const history = openHistory(makeStorage(), 'ada', 'one');
  expect(history.add({ ...entry, state: { ...state, filled } })).toEqual([]);
  const full = {
    ...makeStorage(),
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(openHistory(full, 'ada', 'one').add(entry)).toEqual([entry]);
});

test('the title is the main field in one line', () => {
  const urls = { ...state, filled: { urls: ' https://a.example\n https://b.example ' } };
  expect(titleOf({ tool: 'extract', state: urls })).toBe('https://a.example https://b.example');
  expect(titleOf({ tool: 'search', state: { ...state, filled: {} } })).toBe('Nothing entered');
});
