// Facts about the store, one row for each name, and counters of changes, so that gateways sharing
// the store notice changes made by another.
import { machine } from '../platform/machine.ts';
import type { Runner } from './database.ts';
import { adding, query, table, text, whole } from './table.ts';

const rows = table('store_facts', { name: text, value: text });
const insertNew = rows.insertNew('name');
const replace = rows.insert({ end: 'on conflict (name) do update set value = excluded.value' });
const counters = table('changes', { topic: text, counter: whole });
const addChange = counters.insert({ end: adding('changes', 'topic', ['counter']) });

export const facts = {
  find: async (on: Runner, name: string, lock = ''): Promise<string | undefined> =>
    (await rows.find(on, `where name = $1${lock}`, [name]))?.value,
  /** Keeps the existing value, if there is one. */
  insert: (on: Runner, name: string, value: string) => insertNew(on, { name, value }),
  /** Replaces the existing value, if there is one. */
  put: (on: Runner, name: string, value: string) => replace(on, [{ name, value }]),
  /** Stores a number that only grows. */
  raise: async (on: Runner, name: string, value: number): Promise<void> => {
    await on.run(
      `insert into store_facts (name, value) values ($1, $2)
       on conflict (name) do update set value = excluded.value
       where cast(store_facts.value as bigint) < cast(excluded.value as bigint)`,
      [name, String(value)],
    );
  },
  /** Adds one, and returns the sum. */
  increment: (on: Runner, name: string): Promise<number> =>
    query.number(
      on,
      `insert into store_facts (name, value) values ($1, '1') on conflict (name) do update
       set value = cast(cast(store_facts.value as bigint) + 1 as text) returning value`,
      [name],
    ),
};

export const changes = {
  count: (on: Runner, topic: string) => addChange(on, [{ topic, counter: 1 }]),
  read: (on: Runner, topic: string): Promise<number> =>
    query.number(on, 'select counter from changes where topic = $1', [topic]),
};

/** Writes a row of its own to find out whether the store accepts writes. */
export function writeProbe(on: Runner, now: number): Promise<void> {
  return facts.put(on, 'probed_at', String(now));
}

/** Longer than most batches of the ledger, so that a nearly full disk refuses it. */
const largeBytes = 4 * 65_536;

export async function writeLargeProbe(on: Runner, now: number): Promise<void> {
  // Random, because PostgreSQL compresses long values.
  await facts.put(on, 'large_probe', machine.randomBytes(largeBytes / 2).toString('hex'));
  await facts.put(on, 'large_probe', String(now));
}
