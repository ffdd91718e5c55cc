// The request log: the row of a request, and its count in the metrics.
import { GatewayError } from '@trivium/contract';
import type { BillingContext } from './context.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestRow } from './core/request-row.ts';

type Known = Pick<RequestRow, 'status' | 'error_type' | 'warnings' | 'reported_cost'> &
  Required<Pick<RequestRow, 'paid_by' | 'delivered'>>;

export function requestRow(
  context: Pick<BillingContext, 'clock'>,
  requestContext: RequestContext,
  known: Known,
): RequestRow {
  const latencyMs = Math.round(context.clock.ticks() - requestContext.started);
  requestContext.seen.status = known.status;
  return {
    id: requestContext.request_id,
    account_id: requestContext.caller.account_id,
    key_id: requestContext.caller.key_id,
    tool: requestContext.tool,
    provider: requestContext.seen.provider ?? null,
    // The ledger fills in what it charged.
    cost: 0,
    latency_ms: latencyMs,
    created_at: context.clock.now().getTime() - latencyMs,
    ...known,
  };
}

/**
 * Counts a request that has ended, by its last row. An answer that could not be settled has the row
 * of a failure after its own.
 */
export function countServed(
  { metrics, clock }: Pick<BillingContext, 'metrics' | 'clock'>,
  { tool, started, seen }: RequestContext,
): void {
  const { provider = 'none', status = 500 } = seen;
  metrics?.served(tool, provider, status, Math.round(clock.ticks() - started));
}

/** The usual status for a request whose client closed the connection. */
const clientClosedRequest = 499;

/** A caller who disconnects after the provider was called pays; only the log shows the 499. */
export function servedStatus({ hasLeft }: RequestContext): number {
  return hasLeft?.() ? clientClosedRequest : 200;
}

/** Does not wait for the row: a failure costs nothing, so no payment depends on it. */
export function logFailure(
  context: Pick<BillingContext, 'ledger' | 'clock'>,
  requestContext: RequestContext,
  error: unknown,
): void {
  const gone = requestContext.hasLeft?.() === true;
  const known = error instanceof GatewayError ? error : undefined;
  context.ledger.record(
    requestRow(context, requestContext, {
      status: gone ? clientClosedRequest : (known?.status ?? 500),
      error_type: known?.type ?? 'internal_error',
      warnings: 0,
      reported_cost: null,
      paid_by: null,
      delivered: null,
    }),
  );
}
