// Usage by tag value and day, kept as long as the request log.
import { adding, type Runner, table, text, whole } from '../../store/index.ts';
import type { TagUsage } from '../core/request-row.ts';
import { foldedDay } from '../core/tags.ts';

const tagUsageKey = 'account_id, tag, day, value, key_id';

const usageRows = table('usage_tags', {
  account_id: text,
  tag: text,
  day: whole,
  value: text,
  key_id: text,
  requests: whole,
  refusals: whole,
  failures: whole,
  cost: whole,
});

export const addToTagUsage = usageRows.insert({
  end: adding('usage_tags', tagUsageKey, ['requests', 'refusals', 'failures', 'cost']),
});

/** Deletes and returns rows of days that are no longer kept. */
export async function takeOldTagUsage(
  on: Runner,
  dayBefore: number,
  limit: number,
): Promise<TagUsage[]> {
  const rows = await on.run(
    `delete from usage_tags where (${tagUsageKey}) in
       (select ${tagUsageKey} from usage_tags
        where day > ${foldedDay} and day < $1 order by day limit $2)
     returning ${usageRows.columns}`,
    [dayBefore, limit],
  );
  return rows.map(usageRows.read);
}
