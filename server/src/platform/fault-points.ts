// Places where something rare may happen, and where the simulation makes it happen. In production
// nothing is injected, and the check costs one comparison.

/** The simulation exercises and counts each of them. */
export const faultPoints = [
  /** Several journaled settlements cannot be booked together, but each can be booked alone. */
  'journal_group_fails',
  /** The disk refuses a write to the journal of the embedded store. */
  'journal_write_fails',
  /** The items of a batch cannot be committed together, but each can be committed alone. */
  'batch_fails',
  /** A batch is committed, but the answer of the store is lost. */
  'commit_unknown',
  /** A worker fails to renew its leases. */
  'renewal_missed',
  /** A claim takes so long that the worker pauses after it. */
  'claim_slow',
  /** The clean-up after a failed request never happens: its hold and its key must expire. */
  'cleanup_lost',
] as const;
export type FaultPoint = (typeof faultPoints)[number];

/** Set by the simulation only. */
export const injected: { happensAt: ((point: FaultPoint) => boolean) | undefined } = {
  happensAt: undefined,
};

/** True if the simulation injects this fault here and now. */
export function happens(point: FaultPoint): boolean {
  return injected.happensAt !== undefined && injected.happensAt(point);
}
