// Tag rows of days that are no longer kept.
import type { Runner } from '../../store/index.ts';
import type { TagDay } from '../core/book.ts';
import { foldedDay, type TagUsage } from '../../requests/core/index.ts';

const tagDayKey = 'account_id, tag, value, day';
const tagUsageKey = 'account_id, tag, day, value, key_id';

/** Deletes and returns old rows. One with an open hold stays until the hold is settled. */
export async function takeOldTagDays(
  on: Runner,
  dayBefore: number,
  limit: number,
): Promise<TagDay[]> {
  const rows = await on.run(
    `delete from tag_days where held = 0 and (${tagDayKey}) in
       (select ${tagDayKey} from tag_days
        where day > ${foldedDay} and day < $1 and held = 0 order by day limit $2)
     returning ${tagDayKey}, spent, held`,
    [dayBefore, limit],
  );
  return rows.map((row) => ({
    account_id: String(row['account_id']),
    tag: String(row['tag']),
    value: String(row['value']),
    day: Number(row['day']),
    spent: Number(row['spent']),
    held: Number(row['held']),
  }));
}

export async function takeOldTagUsage(
  on: Runner,
  dayBefore: number,
  limit: number,
): Promise<TagUsage[]> {
  const rows = await on.run(
    `delete from usage_tags where (${tagUsageKey}) in
       (select ${tagUsageKey} from usage_tags
        where day > ${foldedDay} and day < $1 order by day limit $2)
     returning ${tagUsageKey}, requests, failures, cost`,
    [dayBefore, limit],
  );
  return rows.map((row) => ({
    account_id: String(row['account_id']),
    tag: String(row['tag']),
    day: Number(row['day']),
    value: String(row['value']),
    key_id: String(row['key_id']),
    requests: Number(row['requests']),
    failures: Number(row['failures']),
    cost: Number(row['cost']),
  }));
}

/** For the audit: earlier rows of tag values were deleted. */
export async function noteTagsKeptFrom(on: Runner, day: number): Promise<void> {
  await on.run(
    `insert into store_facts (name, value) values ('tags_kept_from', $1)
     on conflict (name) do update set value = excluded.value
     where cast(store_facts.value as bigint) < cast(excluded.value as bigint)`,
    [String(day)],
  );
}
