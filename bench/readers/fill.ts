// Fills the request log of a stopped gateway with many rows, spread over the days that it is kept.
import { Database as Sqlite } from 'bun:sqlite';
import { SQL } from 'bun';

const days = 80;
const dayMs = 86_400_000;
const rowsPerStep = 250_000;

/** `i` numbers the rows from the oldest to the newest. */
function insertText(series: string, rows: number, now: number): string {
  const stepMs = Math.floor((days * dayMs) / rows);
  const from = now - rows * stepMs;
  return `insert into requests (id, account_id, key_id, tool, provider, status, error_type,
      warnings, cost, latency_ms, created_at, paid_by, delivered, asked, detail, tags)
    select 'req_bench_' || (100000000 + i), 'acct_default', 'key_' || (i % 7), 'search', 'engine_a',
      case when i % 50 = 0 then 502 else 200 end,
      case when i % 50 = 0 then 'provider_error' end, 0, 5000, 700, ${from} + i * ${stepMs},
      'settle', 10, 'what is the price of solar energy storage, question ' || i,
      '{"attempts":[{"provider":"engine_a","outcome":"answered","ms":650}],"held":7000}',
      'team=search,customer=c' || (i % 1000)
    from ${series}`;
}

/** Adds the missing rows, so that a file can be reused. */
export function fillSqlite(file: string, rows: number): void {
  const sqlite = new Sqlite(file);
  try {
    const there = sqlite.query(`select count(*) as n from requests where id like 'req_bench_%'`);
    const { n } = there.get() as { n: number };
    const now = Date.now();
    for (let from = n; from < rows; from += rowsPerStep) {
      const to = Math.min(rows, from + rowsPerStep);
      const series = `(with recursive n(i) as
        (select ${from + 1} union all select i + 1 from n where i < ${to}) select i from n)`;
      sqlite.run(insertText(series, rows, now));
    }
    sqlite.run('pragma wal_checkpoint(truncate)');
  } finally {
    sqlite.close();
  }
}

export async function fillPostgres(url: string, rows: number): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  try {
    await sql.unsafe(insertText(`generate_series(1::bigint, ${rows}) as i`, rows, Date.now()));
    await sql.unsafe('vacuum analyze requests');
  } finally {
    await sql.close();
  }
}
