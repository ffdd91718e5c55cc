// Errors of the request log, grouped by their kind.
import type { RequestRow } from '../core/request-row.ts';
import { type Runner, textOrNull, whereAll } from '../../store/index.ts';
import { filtersOf, listRequests, type RequestFilter } from './request-list.ts';

/** Similar errors: the tool, the provider, the status and the type are the same. */
interface ErrorKindRow {
  tool: string;
  provider: string | null;
  status: number;
  error_type: string | null;
  count: number;
  first_at: number;
  last_at: number;
  /** The latest error of this kind. */
  latest: RequestRow;
}

/** How many of the newest requests in a range are searched for errors. */
const maxLooked = 100_000;
const maxKinds = 100;

/** The kinds with the most errors, and whether there are older requests that were not searched. */
export async function listErrorKinds(
  on: Runner,
  filter: RequestFilter,
): Promise<{ kinds: ErrorKindRow[]; oldest: number | null }> {
  const { indexed, others } = filtersOf({ ...filter, outcome: filter.outcome ?? 'error' });
  const newest = whereAll(indexed);
  const where = whereAll(others, newest.values);
  const inner = `(select key_id, tool, provider, status, error_type, asked, tags, created_at from requests${newest.text}
    order by created_at desc, id desc limit ${maxLooked}) as newest`;
  const [rows, ends] = await Promise.all([
    on.run(
      `select tool, provider, status, error_type, count(*) as count,
         min(created_at) as first_at, max(created_at) as last_at
       from ${inner}${where.text} group by tool, provider, status, error_type
       order by count(*) desc limit ${maxKinds}`,
      where.values,
    ),
    on.run(`select count(*) as looked, min(created_at) as oldest from ${inner}`, newest.values),
  ]);
  const kinds = await Promise.all(
    rows.map(async (row) => {
      const at = Number(row['last_at']);
      const kind = {
        tool: String(row['tool']),
        provider: textOrNull(row['provider']),
        status: Number(row['status']),
        error_type: textOrNull(row['error_type']),
      };
      const latest = await latestOf(on, { ...filter, from: at, before: at + 1 }, kind);
      const counts = { count: Number(row['count']), first_at: Number(row['first_at']) };
      return latest ? [{ ...kind, ...counts, last_at: at, latest }] : [];
    }),
  );
  const [end] = ends;
  const isCut = Number(end?.['looked'] ?? 0) >= maxLooked;
  return { kinds: kinds.flat(), oldest: isCut ? Number(end?.['oldest']) : null };
}

async function latestOf(
  on: Runner,
  filter: RequestFilter,
  {
    provider,
    error_type,
    ...kind
  }: Pick<ErrorKindRow, 'tool' | 'provider' | 'status' | 'error_type'>,
): Promise<RequestRow | undefined> {
  const page = { limit: maxSameMoment };
  const { rows } = await listRequests(on, { ...filter, ...kind }, page);
  return rows.find((row) => row.provider === provider && row.error_type === error_type);
}

/**
 * The maximum number of requests from one millisecond that are searched for the latest error of a
 * kind.
 */
const maxSameMoment = 500;
