// A busy account: rows that would take minutes through the API, written straight into the store of
// a gateway that runs.
import type { Database } from 'bun:sqlite';
import { searchEngineIds, transcriberIds } from '@trivium/contract/provider-names';
import { openStore } from '../store-file.ts';

type Values = Readonly<Record<string, string | number>>;

export const keyCount = 1000;
/** More than one page of each list. */
const copies = 60;
const providers = [...searchEngineIds, 'fusion', ...transcriberIds];
const providerAt = `case i % ${providers.length} ${providers
  .map((id, place) => `when ${place} then '${id}'`)
  .join(' ')} end`;

/** Fills the account in which each list has at least one row. Every third name has no space. */
export function addCrowd(storeDir: string, account: string, names: readonly string[]): void {
  using store = openStore(storeDir);
  const now = Date.now();
  const [hour, day] = [Math.floor(now / 3_600_000), Math.floor(now / 86_400_000)];
  const nameAt = `case i % ${names.length} ${names
    .map((name, place) => `when ${place} then '${name}'`)
    .join(' ')} end || ' ' || i`;
  const fill = (rows: number, table: string, values: Values) =>
    store.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
      insert into ${table} (${Object.keys(values).join()}) select ${Object.values(values).join()} from n`);
  const of = { account_id: `'${account}'` };
  const sums = {
    requests: '9 + i % 7',
    refusals: 'i % 3',
    failures: 'i % 5',
    cost: 'i % 97 * 9871',
  };
  store.transaction(() => {
    fill(keyCount, 'keys', {
      ...{ id: "'key_crowd' || i", ...of, name: nameAt, hash: "'crowd' || i" },
      ...{ display: "'sk_test_c' || i", created_at: `${now} - i * 3600000` },
      ...{ last_used_at: `case when i % 3 then ${now} - i * 60000 end` },
      daily_cap: 'case i % 4 when 0 then 123456789 when 1 then 1000000 + i end',
      monthly_cap: 'case when i % 5 = 0 then 2345678901 end',
    });
    // One key is near its cap, and one has reached it.
    const spent = 'case i when 1 then 900000 when 5 then 1200000 else i % 90 * 1000 end';
    // A test that runs at midnight sees the same.
    for (const date of [day, day + 1]) {
      fill(keyCount, 'key_days', { key_id: "'key_crowd' || i", day: date, spent, held: 0 });
    }
    fill(keyCount, 'usage_recent', {
      ...{ ...of, hour: `${hour} - i % 160`, key_id: "'key_crowd' || i" },
      ...{
        tool: "case when i % 3 then 'search' else 'extract' end",
        provider: providerAt,
        ...sums,
      },
    });
    fill(keyCount, 'usage_tags', {
      ...{ ...of, tag: "'team'", day: `${day} - i % 30`, value: "'team-' || i", key_id: "'k'" },
      ...sums,
    });
    fill(searchEngineIds.length * 80, 'quality_days', {
      ...{ ...of, day: `${day} - i / ${searchEngineIds.length}`, source: "'agreement'" },
      ...{ engine: providerAt, tool: "'search'", language: "'en'", category: "'general'" },
      ...{
        freshness: "'any'",
        observations: 9,
        quality: '(3 + i % 5) * 1000000',
        squares: '(3 + i % 5) * 900000',
      },
      ...{ calls: 9, failures: 'i % 2', cost: 'i % 9 * 7123', latency_ms: 9876, useful: 3 },
    });
    const id = "id || '_' || i";
    const createdAt = 'created_at - i * 61000';
    const distinct = { id, created_at: createdAt };
    copyRows(store, 'requests', { ...distinct, provider: providerAt, forget_at: 'null' });
    copyRows(store, 'transfers', { ...distinct, amount: 'amount * (i % 9)' });
    copyRows(store, 'audit_log', distinct);
    copyRows(store, 'jobs where finished_at is not null', distinct);
    const failed = { state: "'failed'", attempts: 5, finished_at: 'created_at', due_at: 'null' };
    copyRows(store, 'deliveries', { ...distinct, ...failed, last_error: "'no connection'" });
    copyRows(store, 'accounts', { ...distinct, name: nameAt, posted: 0, held: 0 });
    copyRows(store, 'sessions', { id, token: "token || '_' || i" });
  })();
}

/** Copies the oldest rows, each with other values in these columns. */
function copyRows(store: Database, from: string, changed: Values): void {
  const [table = ''] = from.split(' ');
  const columns = store
    .query<{ name: string }, []>(`select name from pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name);
  const values = columns.map((name) => changed[name] ?? name);
  store.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${copies})
    insert into ${table} (${columns.join()})
    select ${values.join()} from (select * from ${from} order by created_at limit 2) cross join n`);
}
