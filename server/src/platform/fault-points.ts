// Places where something rare may happen, and where the simulation makes it happen. In a gateway that
// runs for callers nothing is set, and asking costs one comparison.

/** Each is exercised by the simulation, which counts them. */
export const faultPoints = [
  /** Several journaled settlements cannot be booked together; each can be alone. */
  'journal_group_fails',
  /** One item of a batch cannot be committed with the others; each can be alone. */
  'batch_fails',
  /** A batch is committed, and the answer of the store is lost. */
  'commit_unknown',
  /** A worker does not get to renew its leases. */
  'renewal_missed',
  /** A claim takes so long that the worker rests after it. */
  'claim_slow',
  /** What ends a failed request is never done: its hold and its key must expire by themselves. */
  'cleanup_lost',
] as const;
type FaultPoint = (typeof faultPoints)[number];

/** Set by the simulation only. */
export const injected: { happensAt: ((point: FaultPoint) => boolean) | undefined } = {
  happensAt: undefined,
};

/** True when the simulation wants it to happen here and now. */
export function happens(point: FaultPoint): boolean {
  return injected.happensAt !== undefined && injected.happensAt(point);
}
