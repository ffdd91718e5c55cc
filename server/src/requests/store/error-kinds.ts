// Errors of the request log, grouped by their kind.
import type { RequestRow } from '../core/request-row.ts';
import {
  orNull,
  reader,
  type RowOf,
  type Runner,
  text,
  whereAll,
  whole,
} from '../../store/index.ts';
import { filtersOf, listRequests, type RequestFilter } from './request-list.ts';

/** Similar errors: the tool, the provider, the status and the type are the same. */
const kindColumns = {
  tool: text,
  provider: orNull(text),
  status: whole,
  error_type: orNull(text),
};
const counts = { count: whole, first_at: whole, last_at: whole };
const readKind = reader(kindColumns);
const readCounts = reader(counts);
const readEnd = reader({ looked: whole, oldest: orNull(whole) });

type ErrorKind = RowOf<typeof kindColumns>;
type ErrorKindRow = ErrorKind &
  RowOf<typeof counts> & {
    /** The latest error of this kind. */
    latest: RequestRow;
  };

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
      const [kind, counted] = [readKind(row), readCounts(row)];
      const at = counted.last_at;
      const latest = await latestOf(on, { ...filter, from: at, before: at + 1 }, kind);
      return latest ? [{ ...kind, ...counted, latest }] : [];
    }),
  );
  const [row = {}] = ends;
  const { looked, oldest } = readEnd(row);
  return { kinds: kinds.flat(), oldest: looked >= maxLooked ? oldest : null };
}

async function latestOf(
  on: Runner,
  filter: RequestFilter,
  { provider, error_type, ...kind }: ErrorKind,
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
