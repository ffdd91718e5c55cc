// The settings of the latest start, as one row of the facts about the store.
import type { Runner } from '../../store/index.ts';

/** Locks the row, so that gateways that start together record a change once. Empty at first. */
export async function readSettingsFact(tx: Runner): Promise<string> {
  await tx.run(
    `insert into store_facts (name, value) values ('settings', '') on conflict (name) do nothing`,
  );
  const [row] = await tx.run(
    `select value from store_facts where name = 'settings'${tx.lock('for update')}`,
  );
  return String(row?.['value'] ?? '');
}

export async function writeSettingsFact(tx: Runner, text: string): Promise<void> {
  await tx.run(`update store_facts set value = $1 where name = 'settings'`, [text]);
}
