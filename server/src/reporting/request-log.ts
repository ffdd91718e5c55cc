// The request log, for operators and the members of an account: a page, one request, or an export.
import type {
  ErrorKindList,
  ErrorKindQuery,
  ListEnd,
  RequestAnswer,
  RequestExportQuery,
  RequestLine,
  RequestList,
  RequestQuery,
} from '@trivium/contract';
import { GatewayError, maxExportRows } from '@trivium/contract';
import { outcomeOf } from '@trivium/contract/outcomes';
import {
  findLoggedAnswer,
  listErrorKinds,
  listRequests,
  readDetail,
  readParameters,
  type RequestFilter,
} from '../requests/index.ts';
import type { ReportingContext } from './context.ts';
import { findRequestsOfJobs } from '../transcription/index.ts';
import { readTags, type RequestRow } from '../requests/core/index.ts';
import { usd } from '../billing/core/index.ts';
import { answerId } from '../platform/ids.ts';
import { iso, readDateRange, type Runner } from '../store/index.ts';

export async function readRequests(
  { database }: Pick<ReportingContext, 'database'>,
  { cursor, limit, ...query }: RequestQuery,
): Promise<RequestList> {
  const filter = await filterOf(database.reader, query);
  const found = await listRequests(database.reader, { ...filter, cursor, limit });
  return { requests: found.rows.map(showRequest), ...found.end };
}

export async function readRequest(
  { database }: Pick<ReportingContext, 'database'>,
  { id, account_id }: Pick<RequestQuery, 'account_id'> & { id: string },
): Promise<RequestLine> {
  const filter = await filterOf(database.reader, { id, account_id });
  const { rows } = await listRequests(database.reader, { ...filter, limit: 1 });
  const [row] = rows;
  if (!row) throw new GatewayError('not_found', `There is no request ${id} in the log.`);
  return showRequest(row);
}

/** The answer to a replay is the answer to the request that was served first. */
export async function readRequestAnswer(
  { database, clock, answers }: Pick<ReportingContext, 'database' | 'clock' | 'answers'>,
  query: Parameters<typeof readRequest>[1],
): Promise<RequestAnswer> {
  const { id, account_id, replay_of } = await readRequest({ database }, query);
  await answers?.flush();
  const now = clock.now().getTime();
  const asked = { request_id: replay_of ?? id, account_id };
  const found = await findLoggedAnswer(database.reader, asked, now);
  return {
    id,
    answer: found?.body ?? null,
    truncated: found?.truncated ?? false,
    kept_until: iso(found?.expires_at ?? null),
  };
}

export async function readErrorKinds(
  { database }: Pick<ReportingContext, 'database'>,
  query: ErrorKindQuery,
): Promise<ErrorKindList> {
  const filter = await filterOf(database.reader, query);
  const { kinds, oldest } = await listErrorKinds(database.reader, filter);
  return {
    errors: kinds.map(({ latest, ...kind }) => ({
      error_type: kind.error_type,
      status: kind.status,
      outcome: outcomeOf(kind.status, kind.error_type),
      tool: kind.tool as RequestLine['tool'],
      provider: kind.provider,
      count: kind.count,
      first_seen_at: iso(kind.first_at),
      last_seen_at: iso(kind.last_at),
      last_request_id: latest.id,
      last_message: readDetail(latest.detail ?? null).error,
    })),
    searched_until: iso(oldest),
  };
}

const rowsPerPage = 500;

/** In pages that the consumer asks for. Returns where it stopped at the limit of one export. */
export async function* exportRequests(
  { database }: Pick<ReportingContext, 'database'>,
  { cursor, ...query }: Omit<RequestExportQuery, 'format'>,
  maxRows = maxExportRows,
): AsyncGenerator<RequestLine[], ListEnd | undefined> {
  const filter = await filterOf(database.reader, query);
  let page = { ...filter, cursor, limit: rowsPerPage };
  for (let looked = 0; ;) {
    const found = await listRequests(database.reader, page);
    yield found.rows.map(showRequest);
    looked += found.looked;
    if (!found.stop || looked >= maxRows) return found.stop;
    page = { ...page, cursor: found.stop.next_cursor };
  }
}

type Query = Omit<RequestExportQuery, 'format' | 'cursor'>;

async function filterOf(on: Runner, { id, from, to, ...query }: Query): Promise<RequestFilter> {
  return { ...query, ...readDateRange({ from, to }), id: id && (await requestIdOf(on, id)) };
}

/** An answer has the id of its request with another prefix. A job names its request. */
async function requestIdOf(on: Runner, id: string): Promise<string> {
  if (id.startsWith('job_')) return (await findRequestsOfJobs(on, [id])).get(id) ?? id;
  return id.replace(/^(?:srch|ext)_/, 'req_');
}

function showRequest(row: RequestRow): RequestLine {
  const { attempts, warnings, error, held, parts, routing } = readDetail(row.detail ?? null);
  const { reported_cost, cost, paid_by } = row;
  return {
    id: row.id,
    answer_id: answerIdOf(row),
    account_id: row.account_id,
    key_id: row.key_id,
    tool: row.tool as RequestLine['tool'],
    provider: row.provider,
    routing: routing ?? null,
    asked: row.asked ?? null,
    parameters: readParameters(row.parameters ?? null),
    asked_until: iso(row.forget_at ?? null),
    tags: readTags(row.tags ?? null),
    outcome: outcomeOf(row.status, row.error_type),
    status: row.status,
    error_type: row.error_type,
    error_message: error,
    warnings: row.warnings,
    warning_details: [...warnings],
    attempts: attempts.map(({ provider, outcome, ms, status, message }) => ({
      provider,
      outcome,
      latency_ms: ms,
      status: status ?? null,
      message: message ?? null,
    })),
    delivered: row.delivered ?? null,
    replay_of: paid_by?.startsWith('replay:') ? paid_by.slice('replay:'.length) : null,
    from_cache: paid_by === 'cache',
    held_usd: held === null ? null : usd(held),
    cost_usd: usd(cost),
    cost_basis: cost === 0 ? null : basisOf(parts, reported_cost),
    cost_parts: parts.map(({ provider, amount, reported }) => ({
      provider,
      cost_usd: usd(amount),
      basis: reported ? 'reported' : 'list',
    })),
    reported_cost_usd: reported_cost === null ? null : usd(reported_cost),
    latency_ms: row.latency_ms,
    created_at: iso(row.created_at),
  };
}

/** For a panel, one provider may report its price while another has the list price. */
function basisOf(parts: readonly { reported: boolean }[], reportedCost: number | null) {
  const reported = parts.filter((part) => part.reported).length;
  if (reported > 0 && reported < parts.length) return 'mixed';
  return reportedCost === null ? 'list' : 'reported';
}

const prefixes: Readonly<Record<string, 'srch' | 'ext'>> = { search: 'srch', extract: 'ext' };

/** Rows of older versions have no details, and their answers have another id. */
function answerIdOf({ id, tool, paid_by, detail }: RequestRow): string | null {
  if (paid_by?.startsWith('job:')) return paid_by.slice('job:'.length);
  const prefix = prefixes[tool];
  if (!prefix || !paid_by || !detail) return null;
  return answerId(prefix, paid_by.startsWith('replay:') ? paid_by.slice('replay:'.length) : id);
}
