// The rows of the cache.
import { deleteSteps, rowStatement, type Runner, type TableSize } from '../../store/index.ts';

interface CacheEntry {
  id: string;
  account_id: string;
  tool: string;
  value: string;
  bytes: number;
  stored_at: number;
}

const findEntriesStatement = rowStatement(
  ['text', 'bigint', 'bigint'],
  (table) => `select id, bytes, stored_at,
       case when bytes <= v.column3 then value end as value from cache_entries
     join ${table} on id = v.column1 and stored_at >= v.column2`,
);

interface FoundEntry extends Pick<CacheEntry, 'id' | 'bytes' | 'stored_at'> {
  value: string | undefined;
}

/** Entries longer than `maxBytes` are returned without their value. */
export async function findEntries(
  on: Runner,
  ids: readonly string[],
  storedFrom: number,
  maxBytes: number,
): Promise<FoundEntry[]> {
  const rows = await on.run(...findEntriesStatement(ids.map((id) => [id, storedFrom, maxBytes])));
  return rows.map((row) => ({
    id: String(row['id']),
    value: typeof row['value'] === 'string' ? row['value'] : undefined,
    bytes: Number(row['bytes']),
    stored_at: Number(row['stored_at']),
  }));
}

export async function findValue(on: Runner, id: string): Promise<string | undefined> {
  const [row] = await on.run<{ value: string }>('select value from cache_entries where id = $1', [
    id,
  ]);
  return row?.value;
}

const putEntriesStatement = rowStatement(
  ['text', 'text', 'text', 'text', 'bigint', 'bigint'],
  (table) => `insert into cache_entries (id, account_id, tool, value, bytes, stored_at)
     select column1, column2, column3, column4, column5, column6
     from ${table} where column1 is not null order by column1
     on conflict (id) do update set
       value = excluded.value, bytes = excluded.bytes, stored_at = excluded.stored_at`,
);

export async function putEntries(on: Runner, entries: readonly CacheEntry[]): Promise<void> {
  const rows = entries.map((one) => [
    one.id,
    one.account_id,
    one.tool,
    one.value,
    one.bytes,
    one.stored_at,
  ]);
  await on.run(...putEntriesStatement(rows));
}

export async function measureEntries(on: Runner): Promise<TableSize> {
  const [row] = await on.run(
    'select count(*) as entries, coalesce(sum(bytes), 0) as bytes from cache_entries',
  );
  return { entries: Number(row?.['entries']), bytes: Number(row?.['bytes']) };
}

export async function deleteOldestEntries(on: Runner, limit: number): Promise<TableSize> {
  const rows = await on.run(
    `delete from cache_entries where id in
       (select id from cache_entries order by stored_at, id limit $1)
     returning bytes`,
    [limit],
  );
  const bytes = rows.reduce((sum, row) => sum + Number(row['bytes']), 0);
  return { entries: rows.length, bytes };
}

export const deleteOldCacheEntries = deleteSteps({
  table: 'cache_entries',
  key: 'id',
  due: 'stored_at < $1',
  order: 'stored_at, id',
});

/** Deletes the entries of one account, or all. */
export async function deleteEntries(on: Runner, accountId: string | undefined): Promise<number> {
  const rows = await on.run(
    `delete from cache_entries where $1 = '' or account_id = $1 returning id`,
    [accountId ?? ''],
  );
  return rows.length;
}
