// Fills the request log with many rows, spread over the days that it is kept, and the usage of
// these days. The SQL is the same for both engines, except for the series of row numbers.
import { Database as Sqlite } from 'bun:sqlite';
import type { SQL } from 'bun';
import { dayMs, hourMs } from '@trivium/contract/durations';

export const accountId = 'acct_default';
export const days = 90;
const rowsPerStep = 500_000;
const keptTextMs = 30 * dayMs;

/** Rows `from` to `to` of `all`, the oldest first; the newest is an hour old. */
function insertText(
  series: string,
  hex: (value: string) => string,
  { all, now }: { all: number; now: number },
): string {
  const spanMs = days * dayMs - hourMs;
  const at = `(${now - days * dayMs} + cast(i as bigint) * ${spanMs} / ${all})`;
  const isRecent = `${at} > ${now - keptTextMs}`;
  return `insert into requests (id, account_id, key_id, tool, provider, status, error_type,
      warnings, cost, latency_ms, created_at, paid_by, delivered, asked, forget_at, detail, tags)
    select 'req_' || ${hex(at)} || '7' || ${hex('i')} || 'abcdef0',
      case when i % 4 = 0 then 'acct_' || (i % 97) else '${accountId}' end, 'key_' || (i % 7),
      case when i % 11 = 0 then 'extract' else 'search' end,
      case i % 5 when 0 then 'engine_a' when 1 then 'engine_b' when 2 then 'engine_c'
        when 3 then 'engine_j' else 'fusion' end,
      case when i % 50 = 0 then 502 else 200 end,
      case when i % 50 = 0 then 'provider_error' end, 0, 5000, 300 + i % 900, ${at}, 'settle', 10,
      case when ${isRecent} then 'what is the price of solar energy storage, question ' || i end,
      case when ${isRecent} then ${at} + ${keptTextMs} end,
      '{"attempts":[{"provider":"engine_a","outcome":"answered","ms":650}],"held":7000}',
      'team=search,customer=c' || (i % 1000)
    from ${series}`;
}

const usageText = (series: string, now: number) => `insert into usage_days
    (account_id, day, key_id, tool, provider, requests, refusals, failures, cost)
  select '${accountId}', ${Math.floor(now / dayMs)} - i / 35, 'key_' || (i % 7), 'search',
    'engine_' || (i / 7 % 5), 1000, 0, 20, 5000000 from ${series}`;
const usageRows = 35 * days;
export const smallAccountId = 'acct_8';
const smallAccount = `insert into accounts (id, name, created_at)
  values ('${smallAccountId}', 'small', 0)`;

export async function fillPostgres(sql: SQL, rows: number, now: number): Promise<void> {
  const hex = (value: string) => `lpad(to_hex(${value}), 12, '0')`;
  await sql.unsafe('set synchronous_commit = off');
  for (let from = 0; from < rows; from += rowsPerStep) {
    const to = Math.min(rows, from + rowsPerStep);
    const series = `generate_series(${from + 1}::bigint, ${to}) as i`;
    await sql.unsafe(insertText(series, hex, { all: rows, now }));
  }
  await sql.unsafe(usageText(`generate_series(0, ${usageRows - 1}) as i`, now));
  await sql.unsafe(smallAccount);
  await sql.unsafe('vacuum analyze');
}

export function fillSqlite(file: string, rows: number, now: number): void {
  const hex = (value: string) => `printf('%012x', ${value})`;
  const series = (from: number, to: number) => `(with recursive n(i) as
    (select ${from} union all select i + 1 from n where i < ${to}) select i from n)`;
  const sqlite = new Sqlite(file);
  try {
    sqlite.run('pragma synchronous = off');
    sqlite.run('pragma cache_size = -500000');
    for (let from = 0; from < rows; from += rowsPerStep) {
      const to = Math.min(rows, from + rowsPerStep);
      sqlite.run(insertText(series(from + 1, to), hex, { all: rows, now }));
    }
    sqlite.run(usageText(series(0, usageRows - 1), now));
    sqlite.run(smallAccount);
    sqlite.run('pragma wal_checkpoint(truncate)');
  } finally {
    sqlite.close();
  }
}
