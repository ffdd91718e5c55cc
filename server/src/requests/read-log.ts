// Reads the request log as operators and members see it: its lines, its errors, and kept answers.
import type {
  ErrorKindList,
  RequestAnswer,
  RequestLine,
  RequestNote,
  ToolName,
} from '@trivium/contract';
import { outcomeOf } from '@trivium/contract/outcomes';
import { usd } from '../billing/core/index.ts';
import { answerId } from '../platform/ids.ts';
import { iso, type Runner } from '../store/index.ts';
import type { RequestsContext } from './context.ts';
import { readTags, type RequestRow } from './core/request-row.ts';
import { readDetail, readParameters } from './request-detail.ts';
import {
  isSimulatedRow,
  readSimulated,
  simulatedFilter,
  type SimulatedPeriods,
} from './simulated.ts';
import { findNotes, type NoteRow } from './store/notes.ts';
import { listErrorKinds, listRequests, type RequestFilter } from './store/requests.ts';
import { findPurposes, findServedSearch } from './store/samples.ts';
import { findLoggedAnswer } from './store/stored-texts.ts';

export async function readLog(
  on: Runner,
  filter: Omit<Parameters<typeof listRequests>[1], 'simulated'> & OfSimulated,
) {
  const periods = await readSimulated(on);
  const found = await listRequests(on, withSimulated(filter, periods));
  const ids = found.rows.map(({ id }) => id);
  const notes = ids.length === 0 ? [] : await findNotes(on, ids);
  const notesOf = Map.groupBy(notes, ({ request_id }) => request_id);
  const rows = found.rows.map((row) => ({
    ...showRequest(row, notesOf.get(row.id) ?? []),
    simulated: isSimulatedRow(periods, row),
  }));
  return { ...found, rows };
}

/** The filter as the API takes it, and as the statement does. */
interface OfSimulated {
  simulated?: 'true' | 'false' | undefined;
}

function withSimulated<F extends OfSimulated>(
  { simulated, ...filter }: F,
  periods: SimulatedPeriods,
) {
  return { ...filter, ...(simulated ? { simulated: simulatedFilter(simulated, periods) } : {}) };
}

export function showNote(row: NoteRow): RequestNote {
  return {
    id: row.id,
    request_id: row.request_id,
    author: { kind: row.author_kind, id: row.author_id, name: row.author_name },
    text: row.content,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

/** The answer to a replay is the answer to the request that was served first. */
export async function readLoggedAnswer(
  { database, clock, answers }: Pick<RequestsContext, 'database' | 'clock' | 'answers'>,
  { id, account_id, replay_of }: RequestLine,
): Promise<RequestAnswer> {
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

export async function readLogErrors(
  on: Runner,
  filter: Omit<RequestFilter, 'simulated'> & OfSimulated,
): Promise<ErrorKindList> {
  const { kinds, oldest } = await listErrorKinds(
    on,
    withSimulated(filter, await readSimulated(on)),
  );
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

/** An answered search of an account, with what was logged about it. */
export async function readSearch(on: Runner, id: string, accountId: string) {
  const found = await findServedSearch(on, id, accountId);
  return found && { ...found, ...readDetail(found.detail) };
}

const maxAskedChars = 200;

/** What requests were for, by id. */
export async function readPurposes(on: Runner, ids: readonly string[]) {
  const rows = await findPurposes(on, ids);
  const periods = await readSimulated(on);
  return new Map(
    rows.map(({ id, tool, provider, asked, ...row }) => [
      id,
      {
        ...{ tool: tool as ToolName, provider, asked: asked?.slice(0, maxAskedChars) ?? null },
        simulated: isSimulatedRow(periods, { provider, ...row }),
      },
    ]),
  );
}

function showRequest(row: RequestRow, notes: readonly NoteRow[]): Omit<RequestLine, 'simulated'> {
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
    attempts: attempts.map(({ provider, outcome, ms, at, queuedMs, status, message }) => ({
      provider,
      outcome,
      started_ms: at ?? null,
      queued_ms: queuedMs ?? null,
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
    notes: notes.toSorted((one, other) => one.created_at - other.created_at).map(showNote),
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
