// The rows of the cache.
import { hourMs } from '@trivium/contract/durations';
import {
  type Expiring,
  expiring,
  orNull,
  overIds,
  query,
  reader,
  type Runner,
  table,
  text,
  whole,
} from '../../store/index.ts';

const entries = table('cache_entries', {
  id: text,
  account_id: text,
  tool: text,
  value: text,
  bytes: whole,
  stored_at: whole,
});

const findEntryRows = overIds(
  (places) => `select id, bytes, stored_at, case when bytes <= $2 then value end as value
     from cache_entries where id in (${places}) and stored_at >= $1`,
);

const readFound = reader({ id: text, bytes: whole, stored_at: whole, value: orNull(text) });

/** Entries longer than `maxBytes` are returned without their value. */
export async function findEntries(
  on: Runner,
  ids: readonly string[],
  storedFrom: number,
  maxBytes: number,
): Promise<ReturnType<typeof readFound>[]> {
  return (await findEntryRows(on, ids, storedFrom, maxBytes)).map(readFound);
}

export async function findValue(on: Runner, id: string): Promise<string | undefined> {
  const [value] = await query.texts(on, 'select value from cache_entries where id = $1', [id]);
  return value;
}

/** In id order, so that two gateways cannot deadlock. */
export const putEntries = entries.insert({
  end: `order by id on conflict (id) do update set
      value = excluded.value, bytes = excluded.bytes, stored_at = excluded.stored_at`,
});

export const cacheExpiry: readonly Expiring[] = [
  expiring({
    kind: 'cache',
    keptMs: ({ cache_keep_hours }) => cache_keep_hours * hourMs,
    table: 'cache_entries',
    key: 'id',
    since: 'stored_at',
  }),
];

/** Deletes the entries of one account, or all. */
export async function deleteEntries(on: Runner, accountId: string | undefined): Promise<number> {
  const [rule, values] =
    accountId === undefined ? ['', []] : ['where account_id = $1', [accountId]];
  return (await on.run(`delete from cache_entries ${rule} returning id`, values)).length;
}
