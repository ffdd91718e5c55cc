// Facts about the store, one row for each name, and counters of changes, so that gateways sharing
// the store notice changes made by another.
import type { Runner } from './database.ts';

export async function findFact(on: Runner, name: string, lock = ''): Promise<string | undefined> {
  const [row] = await on.run(`select value from store_facts where name = $1${lock}`, [name]);
  return row && String(row['value']);
}

/** Keeps the existing value, if there is one. */
export async function insertFact(on: Runner, name: string, value: string): Promise<void> {
  await on.run(
    'insert into store_facts (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, value],
  );
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
  await on.run(
    `insert into changes (topic, counter) values ($1, 1)
     on conflict (topic) do update set counter = changes.counter + 1`,
    [topic],
  );
}

export async function readChange(on: Runner, topic: string): Promise<number> {
  const [row] = await on.run<{ counter: unknown }>('select counter from changes where topic = $1', [
    topic,
  ]);
  return Number(row?.counter ?? 0);
}
