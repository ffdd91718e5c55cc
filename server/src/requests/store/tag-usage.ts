// Usage by tag value and day, kept as long as the request log.
import { rowStatement, type Runner } from '../../store/index.ts';
import type { TagUsage } from '../core/request-row.ts';
import { foldedDay } from '../core/tags.ts';

const [text, whole] = ['text', 'bigint'] as const;

const addToTagUsageStatement = rowStatement(
  [text, text, whole, text, text, whole, whole, whole, whole],
  (table) => `insert into usage_tags
       (account_id, tag, day, value, key_id, requests, refusals, failures, cost)
     select column1, column2, column3, column4, column5, column6, column7, column8, column9
     from ${table} where column1 is not null
     on conflict (account_id, tag, day, value, key_id) do update set
       requests = usage_tags.requests + excluded.requests,
       refusals = usage_tags.refusals + excluded.refusals,
       failures = usage_tags.failures + excluded.failures,
       cost = usage_tags.cost + excluded.cost`,
);

/** Both engines limit the number of values in one statement. */
const maxRows = 2048;

export async function addToTagUsage(on: Runner, usage: readonly TagUsage[]): Promise<void> {
  for (let from = 0; from < usage.length; from += maxRows) {
    const rows = usage
      .slice(from, from + maxRows)
      .map((one) => [
        ...[one.account_id, one.tag, one.day, one.value, one.key_id],
        ...[one.requests, one.refusals, one.failures, one.cost],
      ]);
    await on.run(...addToTagUsageStatement(rows));
  }
}

const tagUsageKey = 'account_id, tag, day, value, key_id';

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
     returning ${tagUsageKey}, requests, refusals, failures, cost`,
    [dayBefore, limit],
  );
  return rows.map((row) => ({
    account_id: String(row['account_id']),
    tag: String(row['tag']),
    day: Number(row['day']),
    value: String(row['value']),
    key_id: String(row['key_id']),
    requests: Number(row['requests']),
    refusals: Number(row['refusals']),
    failures: Number(row['failures']),
    cost: Number(row['cost']),
  }));
}
