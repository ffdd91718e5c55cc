// What covers the holds in memory. SQLite belongs to one process, which may hold all that is free;
// on PostgreSQL each gateway holds against its allowance.
import type { HoldEntry } from './core/entries.ts';
import type { Journal } from './journal.ts';
import type { BatchContext, Posted, Posting } from './posting.ts';

export interface Funding {
  journal: Journal;
  /** Several gateways share the balances. */
  isShared: boolean;
  /** How far apart the gateway begins to journal batches, under load. */
  paceMs: () => number;
  /** Requests may be held in memory. */
  isOpen: () => boolean;
  /** The gateway whose allowances cover the holds in memory; undefined where the balance does. */
  gatewayId: () => string | undefined;
  /** The store decides an entry that may take this much, until the returned function is called. */
  addPending: (accountId: string, amount: number) => () => void;
  /** A request that may be held in memory was held there, or could not be. */
  noteHold: (accountId: string, amount: number) => void;
  /** A settlement was journaled. */
  noteSpent: (accountId: string, reserved: number, cost: number) => void;
  /** It is not known whether a settlement was journaled. */
  noteUncertain: (accountId: string) => void;
  /** Gets back what other gateways do not use. False when there was nothing to get back. */
  recallAll: (accountId: string) => Promise<boolean>;
  /** Books a batch in one transaction. */
  bookRows: (batch: readonly Posting[], context: BatchContext) => Promise<Posted[]>;
  open: () => Promise<void>;
  close: () => Promise<void>;
  /** For the audit: what is granted and spent, by account; undefined where the balance covers. */
  inspect: () => Map<string, { granted: number; spent: number }> | undefined;
}

/** The gateway of a request, for the limit of requests at once and for the case that it dies. */
export function servedBy(
  funding: Pick<Funding, 'gatewayId'>,
  { limits, expires_at }: Pick<HoldEntry, 'limits' | 'expires_at'>,
): Pick<HoldEntry, 'gateway_id' | 'served_by'> {
  const id = funding.gatewayId();
  return {
    ...(limits ? { gateway_id: id ?? '' } : {}),
    // A job outlives the gateway that took it.
    ...(id === undefined || expires_at === null ? {} : { served_by: id }),
  };
}
