// Statements of the request log, from newest to oldest.
import type { RequestRow } from '../../billing/core/request-row.ts';
import type { Row, Runner } from '../../store/database.ts';
import { containing, literal, olderThan, whereAll, within } from '../../store/filters.ts';
import type { Filter, ListPage, ListPosition, TimeRange } from '../../store/filters.ts';

export interface RequestFilter extends TimeRange {
  /** Of the request, or of its job. */
  id?: string | undefined;
  /** In what was asked. */
  text?: string | undefined;
  /** `team=search`, or `team` for any value. */
  tag?: string | undefined;
  account_id?: string | undefined;
  key_id?: string | undefined;
  tool?: string | undefined;
  provider?: string | undefined;
  status?: number | undefined;
  error_type?: string | undefined;
}

const columns = `id, account_id, key_id, tool, provider, status, error_type, warnings, cost,
  reported_cost, latency_ms, created_at, paid_by, delivered, asked, forget_at, detail, tags`;

export async function listRequests(
  on: Runner,
  filter: RequestFilter,
  { position, limit }: ListPage,
): Promise<RequestRow[]> {
  const where = whereAll([...filtersOf(filter), olderThan(position)]);
  const rows = await on.run(
    `select ${columns} from requests${where.text}
     order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
  return rows.map(readRequest);
}

/** How many rows one search by text or tag reads at most. */
const scannedRows = 20_000;

interface Scan {
  rows: RequestRow[];
  /** Where the next scan continues; undefined at the end of the log. */
  position: ListPosition | undefined;
}

/** A search that no index serves: it reads a bounded part of the log, and says where it ended. */
export async function scanRequests(
  on: Runner,
  { text, tag, ...filter }: RequestFilter,
  { position, limit }: ListPage,
): Promise<Scan> {
  const inside = whereAll([...filtersOf(filter), olderThan(position)]);
  const outside = whereAll([containing('asked', text), tagged(tag)], inside.values);
  const found = await on.run(
    `select ${columns} from (select ${columns} from requests${inside.text}
       order by created_at desc, id desc limit ${scannedRows}) as scanned${outside.text}
     order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    outside.values,
  );
  const rows = found.map(readRequest);
  const last = rows.at(-1);
  if (rows.length === limit && last) return { rows, position: last };
  const [end] = await on.run(
    `select created_at, id from requests${inside.text}
     order by created_at desc, id desc limit 1 offset ${scannedRows - 1}`,
    inside.values,
  );
  return {
    rows,
    position: end && { created_at: Number(end['created_at']), id: String(end['id']) },
  };
}

function filtersOf(filter: RequestFilter): Filter[] {
  const isJob = filter.id?.startsWith('job_') === true;
  return [
    { text: 'id = ?', values: [isJob ? undefined : filter.id] },
    {
      text: 'id = (select request_id from jobs where jobs.id = ?)',
      values: [isJob ? filter.id : undefined],
    },
    { text: 'account_id = ?', values: [filter.account_id] },
    { text: 'key_id = ?', values: [filter.key_id] },
    { text: 'tool = ?', values: [filter.tool] },
    { text: 'provider = ?', values: [filter.provider] },
    { text: 'status = ?', values: [filter.status] },
    { text: 'error_type = ?', values: [filter.error_type] },
    ...within(filter),
  ];
}

function tagged(tag: string | undefined): Filter {
  const rest = tag?.includes('=') ? ',%' : '=%';
  const pattern = tag === undefined ? undefined : `%,${literal(tag)}${rest}`;
  return { text: `',' || tags || ',' like ? escape '!'`, values: [pattern] };
}

function readRequest(row: Row): RequestRow {
  const text = (name: string) => {
    const value = row[name];
    return typeof value === 'string' ? value : null;
  };
  const whole = (name: string) => {
    const value = row[name];
    return value === null || value === undefined ? null : Number(value);
  };
  return {
    id: String(row['id']),
    account_id: String(row['account_id']),
    key_id: String(row['key_id']),
    tool: String(row['tool']),
    provider: text('provider'),
    status: Number(row['status']),
    error_type: text('error_type'),
    warnings: Number(row['warnings']),
    cost: Number(row['cost']),
    reported_cost: whole('reported_cost'),
    latency_ms: Number(row['latency_ms']),
    created_at: Number(row['created_at']),
    paid_by: text('paid_by') as RequestRow['paid_by'] & string,
    delivered: whole('delivered'),
    asked: text('asked'),
    forget_at: whole('forget_at'),
    detail: text('detail'),
    tags: text('tags'),
  };
}
