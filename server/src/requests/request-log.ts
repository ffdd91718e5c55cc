// The request log: the row of a request, and its count in the metrics.
import { hourMs } from '@trivium/contract/durations';
import { outcomeOf } from '@trivium/contract/outcomes';
import { GatewayError, type Warning } from '@trivium/contract';
import { askedIn, askedText, parametersText, writeDetail } from './request-detail.ts';
import type { CostPart, Shown } from './request-detail.ts';
import type { RequestRow } from './core/request-row.ts';
import type { RequestsContext, Caller, CurrentRequest } from './context.ts';

interface Known
  extends
    Pick<RequestRow, 'status' | 'error_type' | 'reported_cost'>,
    Required<Pick<RequestRow, 'paid_by' | 'delivered'>> {
  warnings: readonly Warning[];
  /** The error's text. */
  error?: string;
  /** The maximum price, which was held. */
  held?: number;
  parts?: readonly CostPart[];
  shown?: Shown;
}

/** A longer body is not kept in the log. */
const maxLoggedChars = 16_000;

export function noteAsked({ tool, seen }: CurrentRequest, body: unknown, chars = 0): void {
  seen.asked = askedIn(tool, body);
  if (chars <= maxLoggedChars) seen.body = body;
}

export function requestRow(
  context: Pick<RequestsContext, 'clock' | 'settings'>,
  currentRequest: CurrentRequest,
  known: Known,
): RequestRow {
  const { warnings, error, held, parts, shown } = known;
  const { caller, seen, tags } = currentRequest;
  const now = context.clock.now().getTime();
  const latencyMs = Math.round(context.clock.ticks() - currentRequest.started);
  seen.status = known.status;
  seen.error_type = known.error_type;
  const { asked = [], attempts, routing } = seen;
  const hours = hoursToKeep(context, caller);
  const text = hours === 0 ? null : askedText(asked);
  const parameters = hours === 0 ? null : parametersText(currentRequest.tool, seen.body);
  const detail = {
    attempts,
    warnings,
    error: error ?? null,
    held: held ?? null,
    parts: parts ?? [],
    // An account that keeps no queries keeps no results either.
    shown: hours === 0 ? undefined : shown,
    routing,
  };
  return {
    id: currentRequest.request_id,
    account_id: caller.account_id,
    key_id: caller.key_id,
    tool: currentRequest.tool,
    provider: seen.provider ?? null,
    // The ledger fills in the charged amount.
    cost: 0,
    latency_ms: latencyMs,
    created_at: now - latencyMs,
    warnings: warnings.length,
    asked: text,
    ...(parameters === null ? {} : { parameters }),
    forget_at: text === null && parameters === null ? null : now + hours * hourMs,
    detail: writeDetail(detail, asked, currentRequest.started),
    status: known.status,
    error_type: known.error_type,
    reported_cost: known.reported_cost,
    paid_by: known.paid_by,
    delivered: known.delivered,
    ...(tags === undefined ? {} : { tags }),
  };
}

/** The setting of the key or its account, or else the setting of the deployment. */
export function hoursToKeep(
  { settings }: Pick<RequestsContext, 'settings'>,
  caller: Caller,
): number {
  return caller.policy?.keep_query_hours ?? settings.keep_query_hours;
}

/**
 * Counts a request that has ended, by its last row. An answer that could not be settled has a row
 * for the failure after its own.
 */
export function countServed(
  { metrics, clock, results }: Pick<RequestsContext, 'metrics' | 'clock' | 'results'>,
  currentRequest: CurrentRequest,
): void {
  const { tool, started, seen } = currentRequest;
  results?.request(currentRequest);
  const { provider = 'none', status = 500, error_type = 'internal_error' } = seen;
  const result = `${status} ${outcomeOf(status, error_type)}`;
  metrics?.served(tool, provider, result, Math.round(clock.ticks() - started));
}

/** The usual status for a request whose client closed the connection. */
const clientClosedRequest = 499;

/**
 * A caller who disconnects after the provider was called still pays. Only the log shows the 499.
 */
export function servedStatus({ connection }: CurrentRequest): number {
  return connection?.aborted ? clientClosedRequest : 200;
}

/** Does not wait for the row: a failure costs nothing, so no payment depends on it. */
export function logFailure(
  context: Pick<RequestsContext, 'clock' | 'settings' | 'ledger' | 'refusals'>,
  currentRequest: CurrentRequest,
  error: unknown,
): void {
  const gone = currentRequest.connection?.aborted === true;
  const known = error instanceof GatewayError ? error : undefined;
  const row = requestRow(context, currentRequest, {
    status: gone ? clientClosedRequest : (known?.status ?? 500),
    error_type: known?.type ?? 'internal_error',
    // The text of an unexpected error appears only in the operator's log.
    ...(known ? { error: known.message } : {}),
    warnings: [],
    reported_cost: null,
    paid_by: null,
    delivered: null,
  });
  if (context.refusals?.isLogged(row.account_id, row.status) === false) return;
  context.ledger.record(row);
}
