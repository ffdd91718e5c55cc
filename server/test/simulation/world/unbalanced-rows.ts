// Sums over the rows of the store, made without the gateway's own audit: they hold after each commit.
import type { Row } from '../../../src/store/database.ts';

interface Rule {
  words: string;
  /** Selects what breaks it. */
  find: string;
}

const rules: readonly Rule[] = [
  {
    words: 'a balance is not the sum of its movements',
    find: `select a.id, a.posted as found, coalesce(sum(t.amount), 0) as wanted
      from accounts a left join transfers t on t.account_id = a.id
      group by a.id, a.posted having a.posted <> coalesce(sum(t.amount), 0)`,
  },
  {
    words: 'what an account holds is not the sum of its holds and allowances',
    find: `select * from (select a.id, a.held as found,
        (select coalesce(sum(amount), 0) from holds h where h.account_id = a.id)
        + (select coalesce(sum(granted - booked), 0) from allowances w where w.account_id = a.id)
        as wanted from accounts a) sums where found <> wanted`,
  },
  {
    words: 'a key spent something else than the sum of its charges',
    find: `select * from (select k.key_id as id, k.spent as found,
        (select coalesce(-sum(amount), 0) from transfers t
          where t.key_id = k.key_id and t.kind in ('settle', 'refund')) as wanted
        from (select key_id, sum(spent) as spent from key_days group by key_id) k) sums
        where found <> wanted`,
  },
  {
    words: 'a key holds something else than the sum of its holds',
    find: `select * from (select k.key_id as id, k.held as found,
        (select coalesce(sum(amount), 0) from holds h
          where h.key_id = k.key_id and h.counted = 1) as wanted
        from (select key_id, sum(held) as held from key_days group by key_id) k) sums
        where found <> wanted`,
  },
  {
    words: 'a job that has ended is still held for',
    find: `select j.id, h.amount as found, 0 as wanted
      from jobs j join holds h on h.id = 'job:' || j.id where j.finished_at is not null`,
  },
  {
    words: 'nothing is held for an open job',
    find: `select j.id, 0 as found, 1 as wanted from jobs j
      where j.finished_at is null and not exists (select 1 from holds h where h.id = 'job:' || j.id)`,
  },
  {
    words: 'a job has not the charges of its state',
    find: `select * from (select j.id,
        (select count(*) from transfers t where t.hold_id = 'job:' || j.id and t.kind = 'settle')
        as found, case when j.status = 'completed' then 1 else 0 end as wanted from jobs j) sums
        where found <> wanted`,
  },
  {
    words: 'a request was charged twice',
    find: `select hold_id as id, count(*) as found, 1 as wanted from transfers
      where kind = 'settle' and hold_id is not null group by hold_id having count(*) > 1`,
  },
  {
    words: 'more was refunded than charged',
    find: `select t.hold_id as id, sum(t.amount) as found, 0 as wanted from transfers t
      where t.kind in ('settle', 'refund') and t.hold_id is not null
      group by t.hold_id having sum(t.amount) > 0`,
  },
];

export function unbalancedRows(read: (text: string) => Row[] | undefined): string[] {
  return rules.flatMap(({ words, find }) =>
    (read(find) ?? []).map(
      ({ id, found, wanted }) => `${words}: ${String(id)}: ${String(found)}, not ${String(wanted)}`,
    ),
  );
}
