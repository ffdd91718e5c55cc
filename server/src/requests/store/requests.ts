// The request log, with one row per request.
import type { RequestQuery } from '@trivium/contract';
import type { Outcome } from '@trivium/contract/outcomes';
import {
  type Filter,
  type ListPage,
  type Runner,
  type TimeRange,
  containing,
  equal,
  inParts,
  mapOfIds,
  orNull,
  reader,
  scanPage,
  table,
  text,
  textOf,
  timeFilters,
  whereAll,
  whole,
} from '../../store/index.ts';
import type { PaidBy, RequestRow } from '../core/request-row.ts';
import { withNote } from './notes.ts';

/** The given ids that are already logged. */
export const findLogged = mapOfIds(
  {},
  (places) => `select id from requests where id in (${places})`,
);

export const log = table('requests', {
  id: text,
  account_id: text,
  key_id: text,
  tool: text,
  provider: orNull(text),
  status: whole,
  error_type: orNull(text),
  warnings: whole,
  cost: whole,
  reported_cost: orNull(whole),
  latency_ms: whole,
  created_at: whole,
  paid_by: orNull(textOf<PaidBy>()),
  delivered: orNull(whole),
  asked: orNull(text),
  forget_at: orNull(whole),
  detail: orNull(text),
  tags: orNull(text),
  parameters: orNull(text),
});

export const insertRequests = log.insert();

export const setCosts = inParts(
  { id: text, cost: whole },
  'update requests set cost = v.cost from v where requests.id = v.id',
);

/** Clears the query and its parameters when their retention ends. The row itself stays. */
export async function forgetAsked(
  on: Runner,
  { now }: { now: number },
  limit: number,
): Promise<number> {
  const rows = await on.run(
    `update requests set asked = null, parameters = null, forget_at = null
     where (created_at, id) in
       (select created_at, id from requests where forget_at <= $1 order by forget_at limit $2)
     returning id`,
    [now, limit],
  );
  return rows.length;
}

export interface RequestFilter extends TimeRange {
  id?: string | undefined;
  /** Text to find in what was asked. */
  text?: string | undefined;
  /** `team=search`, or `team` for any value. */
  tag?: string | undefined;
  account_id?: string | undefined;
  key_id?: string | undefined;
  tool?: string | undefined;
  provider?: string | undefined;
  status?: number | undefined;
  outcome?: Outcome | 'error' | undefined;
  error_type?: string | undefined;
  has_note?: 'true' | 'false' | undefined;
  /** Whether a simulated provider answered. */
  simulated?: Filter | undefined;
}

const sortColumns = { time: undefined, cost: 'cost', latency: 'latency_ms' } as const;

export function listRequests(
  on: Runner,
  { sort = 'time', ...page }: RequestFilter & ListPage & Pick<RequestQuery, 'sort'>,
) {
  return scanPage(on, { ...log, ...filtersOf(page), sort: sortColumns[sort] }, page);
}

/**
 * Splits the filter into conditions that an index serves, and conditions that each row is compared
 * with.
 */
function filtersOf(filter: RequestFilter): { indexed: Filter[]; others: Filter[] } {
  const { id, account_id, key_id, tool, provider, status, outcome, error_type, text, tag } = filter;
  return {
    indexed: [...equal({ id, account_id }), ...timeFilters(filter)],
    others: [
      ...equal({ key_id, tool, provider, status, error_type }),
      ...withNote(filter.has_note),
      ...(filter.simulated ? [filter.simulated] : []),
      ...(outcome === undefined ? [] : [{ text: outcomeTexts[outcome], values: [] }]),
      containing('lower(asked)', text?.toLowerCase()),
      hasTag(tag),
    ],
  };
}

/** `team=search`, or `team` for any value. */
export function hasTag(tag: string | undefined): Filter {
  const part = tag === undefined ? tag : `,${tag}${tag.includes('=') ? ',' : '='}`;
  return containing("',' || tags || ','", part);
}

const served = '(status < 400 or status = 499 and error_type is null)';
const failed = `(status >= 400 and (coalesce(error_type, '') in ('provider_error', 'internal_error')
  or coalesce(error_type, '') = 'provider_not_available' and status <> 501
  or error_type is null and status >= 500))`;

/** The same decision as in `outcomeOf`; a test compares the two. */
const outcomeTexts: Readonly<Record<Outcome | 'error', string>> = {
  served,
  failed,
  refused: `not ${served} and not ${failed}`,
  error: `not ${served}`,
};

/** Similar errors: the tool, the provider, the status and the type are the same. */
const readKind = reader({
  tool: text,
  provider: orNull(text),
  status: whole,
  error_type: orNull(text),
  count: whole,
  first_at: whole,
  last_at: whole,
});
const readEnd = reader({ looked: whole, oldest: orNull(whole) });

type ErrorKind = ReturnType<typeof readKind>;

/** How many of the newest requests in a range are searched for errors. */
const maxLooked = 100_000;
const maxKinds = 100;

/** The kinds with the most errors, and whether there are older requests that were not searched. */
export async function listErrorKinds(
  on: Runner,
  filter: RequestFilter,
): Promise<{ kinds: (ErrorKind & { latest: RequestRow })[]; oldest: number | null }> {
  const { indexed, others } = filtersOf({ ...filter, outcome: filter.outcome ?? 'error' });
  const newest = whereAll(indexed);
  const where = whereAll(others, newest.values);
  const inner = `(select id, key_id, tool, provider, status, error_type, asked, tags, created_at${
    filter.simulated ? ', detail' : ''
  } from requests${newest.text}
    order by created_at desc, id desc limit ${maxLooked}) as newest`;
  const [rows, ends] = await Promise.all([
    on.run(
      `select tool, provider, status, error_type, count(*) as count,
         min(created_at) as first_at, max(created_at) as last_at
       from ${inner}${where.text} group by tool, provider, status, error_type
       order by count(*) desc, max(created_at) desc, tool, status, coalesce(provider, ''),
         coalesce(error_type, '') limit ${maxKinds}`,
      where.values,
    ),
    on.run(`select count(*) as looked, min(created_at) as oldest from ${inner}`, newest.values),
  ]);
  const kinds = await Promise.all(
    rows.map(async (row) => {
      const kind = readKind(row);
      const latest = await latestOf(on, filter, kind);
      return latest ? [{ ...kind, latest }] : [];
    }),
  );
  const [row = {}] = ends;
  const { looked, oldest } = readEnd(row);
  return { kinds: kinds.flat(), oldest: looked >= maxLooked ? oldest : null };
}

async function latestOf(
  on: Runner,
  filter: RequestFilter,
  { tool, provider, status, error_type, last_at: from }: ErrorKind,
): Promise<RequestRow | undefined> {
  const ofKind = { ...filter, tool, status, from, before: from + 1 };
  const { rows } = await listRequests(on, { ...ofKind, limit: maxSameMoment });
  return rows.find((row) => row.provider === provider && row.error_type === error_type);
}

/**
 * The maximum number of requests from one millisecond that are searched for the latest error of a
 * kind.
 */
const maxSameMoment = 500;
