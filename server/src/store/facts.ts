// Facts about the store, one row for each name.
import type { Runner } from './database.ts';

export async function findFact(on: Runner, name: string, lock = ''): Promise<string | undefined> {
  const [row] = await on.run(`select value from store_facts where name = $1${lock}`, [name]);
  return row && String(row['value']);
}

/** Keeps the value that is there, if there is one. */
export async function insertFact(on: Runner, name: string, value: string): Promise<void> {
  await on.run(
    'insert into store_facts (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, value],
  );
}

export async function updateFact(on: Runner, name: string, value: string): Promise<void> {
  await on.run('update store_facts set value = $2 where name = $1', [name, value]);
}

/** A number that only grows. */
export async function raiseFact(on: Runner, name: string, value: number): Promise<void> {
  await on.run(
    `insert into store_facts (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value
     where cast(store_facts.value as bigint) < cast(excluded.value as bigint)`,
    [name, String(value)],
  );
}
