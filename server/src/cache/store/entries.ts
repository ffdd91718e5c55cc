// The rows of the cache.
import {
  deleteSteps,
  inParts,
  type Runner,
  table,
  type TableSize,
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

type CacheEntry = ReturnType<typeof entries.read>;

const findEntryRows = inParts(
  { id: text, stored_from: whole, max_bytes: whole },
  `select cache_entries.id, bytes, stored_at,
     case when bytes <= v.max_bytes then value end as value
   from cache_entries join v on cache_entries.id = v.id and stored_at >= v.stored_from`,
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
  const rows = await findEntryRows(
    on,
    ids.map((id) => ({ id, stored_from: storedFrom, max_bytes: maxBytes })),
  );
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

/** In id order, so that two gateways cannot deadlock. */
export const putEntries = entries.insert({
  end: `order by id on conflict (id) do update set
      value = excluded.value, bytes = excluded.bytes, stored_at = excluded.stored_at`,
});

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
