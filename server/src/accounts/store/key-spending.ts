// What the keys of an account have spent and hold, as their caps count it.
import type { Runner } from '../../store/index.ts';

interface KeySpending {
  /** In micro-USD. */
  today: number;
  this_month: number;
}

/** By key id; a key that is not here has spent nothing. */
export async function sumKeyDays(
  on: Runner,
  accountId: string,
  { first_day, today }: { first_day: number; today: number },
): Promise<Map<string, KeySpending>> {
  const rows = await on.run(
    `select key_id, coalesce(sum(case when day = $1 then spent + key_days.held end), 0) as today,
       sum(spent + key_days.held) as this_month
     from key_days join keys on keys.id = key_days.key_id
     where keys.account_id = $2 and day >= $3 group by key_id`,
    [today, accountId, first_day],
  );
  return new Map(
    rows.map((row) => [
      String(row['key_id']),
      { today: Number(row['today']), this_month: Number(row['this_month']) },
    ]),
  );
}
