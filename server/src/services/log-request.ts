// The row that the request log keeps of a request.
import { GatewayError } from '@trivium/contract';
import type { RequestRow } from '../store/requests.ts';
import type { Asking, House } from './house.ts';

type Known = Pick<RequestRow, 'status' | 'error_type' | 'warnings' | 'reported_cost'> &
  Required<Pick<RequestRow, 'paid_by' | 'delivered'>>;

export function requestRow(house: House, asking: Asking, known: Known): RequestRow {
  const latency_ms = Math.round(house.clock.ticks() - asking.started);
  asking.seen.status = known.status;
  return {
    id: asking.request_id,
    account_id: asking.caller.account_id,
    key_id: asking.caller.key_id,
    tool: asking.tool,
    provider: asking.seen.provider ?? null,
    // The ledger writes what it took.
    cost: 0,
    latency_ms,
    created_at: house.clock.now().getTime() - latency_ms,
    ...known,
  };
}

/**
 * Counts a request that has ended, by its last row: the row of an answer that then could not be
 * paid for is followed by the row of a failure.
 */
export function countServed({ watch, clock }: House, { tool, started, seen }: Asking): void {
  const { provider = 'none', status = 500 } = seen;
  watch?.served(tool, provider, status, Math.round(clock.ticks() - started));
}

/** By custom the status of a request whose caller has gone. */
const client_gone = 499;

/** A caller who left after the provider was called has paid; only the log tells it apart. */
export function servedStatus({ hasLeft }: Asking): number {
  return hasLeft?.() ? client_gone : 200;
}

/** Logged without waiting: a failure costs nothing, so nothing depends on its row. */
export function logFailure(house: House, asking: Asking, error: unknown): void {
  const gone = asking.hasLeft?.() === true;
  const known = error instanceof GatewayError ? error : undefined;
  house.ledger.record(
    requestRow(house, asking, {
      status: gone ? client_gone : (known?.status ?? 500),
      error_type: known?.type ?? 'internal_error',
      warnings: 0,
      reported_cost: null,
      paid_by: null,
      delivered: null,
    }),
  );
}
