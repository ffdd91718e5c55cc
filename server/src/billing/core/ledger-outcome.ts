// The outcome of a ledger entry.
import type { Transfer } from './book.ts';
import type { RateLimited } from '../../requests/core/index.ts';

/** `again` marks a repeated entry, which has the same outcome and moves nothing. */
export type LedgerOutcome =
  | { kind: 'held'; amount: number; again: boolean }
  | { kind: 'declined'; because: 'balance' | 'daily_cap' | 'monthly_cap'; available: number }
  /** `budget` is a tag with its value, such as `team=search`. */
  | {
      kind: 'declined';
      because: 'daily_budget' | 'monthly_budget';
      budget: string;
      available: number;
    }
  /** `exposed` is what the open jobs can cost beyond their holds. */
  | {
      kind: 'declined';
      because: 'exposure';
      available: number;
      exposed: number;
      overdraft: number;
    }
  | RateLimited
  | { kind: 'settled'; cost: number; again: boolean; tags?: string }
  | { kind: 'released'; again: false }
  | { kind: 'moved'; transfer: Transfer; again: boolean }
  /** The hold does not exist, or was closed in another way. */
  | { kind: 'closed' }
  /** Another movement has this id. */
  | { kind: 'id_taken' }
  | { kind: 'no_account' };
