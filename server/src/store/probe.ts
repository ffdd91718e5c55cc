// Writes to dedicated rows to find out whether the store accepts writes.
import { machine } from '../platform/machine.ts';
import type { Runner } from './database.ts';

export async function writeProbe(on: Runner, now: number): Promise<void> {
  await on.run(
    `insert into store_facts (name, value) values ('probed_at', $1)
     on conflict (name) do update set value = excluded.value`,
    [String(now)],
  );
}

/** Longer than most batches of the ledger, so that a nearly full disk refuses it. */
const largeBytes = 4 * 65_536;

export async function writeLargeProbe(on: Runner, now: number): Promise<void> {
  const put = (value: string) =>
    on.run(
      `insert into store_facts (name, value) values ('large_probe', $1)
       on conflict (name) do update set value = excluded.value`,
      [value],
    );
  // Random, because PostgreSQL compresses long values.
  await put(machine.randomBytes(largeBytes / 2).toString('hex'));
  await put(String(now));
}
