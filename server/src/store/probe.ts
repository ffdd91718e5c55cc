// A small write to a row of its own, to learn whether the store takes writes.
import type { Runner } from './database.ts';

export async function writeProbe(on: Runner, now: number): Promise<void> {
  await on.run(
    `insert into store_facts (name, value) values ('probed_at', $1)
     on conflict (name) do update set value = excluded.value`,
    [String(now)],
  );
}
