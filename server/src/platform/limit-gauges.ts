// What is within the limits of this process at the moment, for the metrics.

export interface Sample {
  labels: Record<string, string>;
  value: number;
}

type Amounts = Partial<Record<'running' | 'waiting' | 'entries', number>>;

const limits = new Map<string, () => Amounts>();

/** Replaces an earlier limit with this name. */
export function gaugeLimit(name: string | undefined, read: () => Amounts): void {
  if (name !== undefined) limits.set(name, read);
}

export function readLimits(): Sample[] {
  return [...limits].flatMap(([limit, read]) =>
    Object.entries(read()).map(([state, value]) => ({ labels: { limit, state }, value })),
  );
}
