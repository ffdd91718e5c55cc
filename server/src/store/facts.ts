// Facts about the store, one row for each name, and counters of changes, so that gateways sharing
// the store notice changes made by another.
import type { Runner } from './database.ts';
import { adding, query, table, text, whole } from './table.ts';

const facts = table('store_facts', { name: text, value: text });
const insertNew = facts.insertNew('name');
const changes = table('changes', { topic: text, counter: whole });
const addChange = changes.insert({ end: adding('changes', 'topic', ['counter']) });

export async function findFact(on: Runner, name: string, lock = ''): Promise<string | undefined> {
  return (await facts.find(on, `where name = $1${lock}`, [name]))?.value;
}

/** Keeps the existing value, if there is one. */
export async function insertFact(on: Runner, name: string, value: string): Promise<void> {
  await insertNew(on, { name, value });
}

/** Replaces the existing value, if there is one. */
export async function putFact(on: Runner, name: string, value: string): Promise<void> {
  await on.run(
    `insert into store_facts (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [name, value],
  );
}

export async function updateFact(on: Runner, name: string, value: string): Promise<void> {
  await on.run('update store_facts set value = $2 where name = $1', [name, value]);
}

/** Stores a number that only grows. */
export async function raiseFact(on: Runner, name: string, value: number): Promise<void> {
  await on.run(
    `insert into store_facts (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value
     where cast(store_facts.value as bigint) < cast(excluded.value as bigint)`,
    [name, String(value)],
  );
}

export async function countChange(on: Runner, topic: string): Promise<void> {
  await addChange(on, [{ topic, counter: 1 }]);
}

export function readChange(on: Runner, topic: string): Promise<number> {
  return query.number(on, 'select counter from changes where topic = $1', [topic]);
}
