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
import { readLog, readLogErrors, readLoggedAnswer } from '../requests/index.ts';
import type { ReportingContext } from './context.ts';
import { findRequestsOfJobs } from '../transcription/index.ts';
import { readDateRange, type Runner } from '../store/index.ts';

export async function readRequests(
  { database }: Pick<ReportingContext, 'database'>,
  { cursor, limit, sort, ...query }: RequestQuery,
): Promise<RequestList> {
  const filter = await filterOf(database.reader, query);
  const found = await readLog(database.reader, { ...filter, cursor, limit, sort });
  return { requests: found.rows, ...found.end };
}

export async function readRequest(
  { database }: Pick<ReportingContext, 'database'>,
  query: Parameters<typeof findRequest>[1],
): Promise<RequestLine> {
  const found = await findRequest(database.reader, query);
  if (!found) throw noRequest(query.id);
  return found;
}

export async function findRequest(
  on: Runner,
  { id, account_id }: Pick<RequestQuery, 'account_id'> & { id: string },
): Promise<RequestLine | undefined> {
  const filter = await filterOf(on, { id, account_id });
  return (await readLog(on, { ...filter, limit: 1 })).rows[0];
}

export async function accountOfRequest(
  { database }: Pick<ReportingContext, 'database'>,
  id: string,
): Promise<string | undefined> {
  return (await findRequest(database.reader, { id }))?.account_id;
}

export function noRequest(id: string): GatewayError {
  return new GatewayError('not_found', `There is no request ${id} in the log.`);
}

export async function readRequestAnswer(
  context: Pick<ReportingContext, 'database' | 'clock' | 'answers'>,
  query: Parameters<typeof readRequest>[1],
): Promise<RequestAnswer> {
  return readLoggedAnswer(context, await readRequest(context, query));
}

export async function readErrorKinds(
  { database }: Pick<ReportingContext, 'database'>,
  query: ErrorKindQuery,
): Promise<ErrorKindList> {
  const filter = await filterOf(database.reader, query);
  return readLogErrors(database.reader, filter);
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
    const found = await readLog(database.reader, page);
    yield found.rows;
    looked += found.looked;
    if (!found.stop || looked >= maxRows) return found.stop;
    page = { ...page, cursor: found.stop.next_cursor };
  }
}

type Query = Omit<RequestExportQuery, 'format' | 'cursor'>;

async function filterOf(on: Runner, { id, from, to, ...query }: Query) {
  return { ...query, ...readDateRange({ from, to }), id: id && (await requestIdOf(on, id)) };
}

/** An answer has the id of its request with another prefix. A job names its request. */
async function requestIdOf(on: Runner, id: string): Promise<string> {
  if (id.startsWith('job_')) return (await findRequestsOfJobs(on, [id])).get(id)?.request_id ?? id;
  return id.replace(/^(?:srch|ext)_/, 'req_');
}
