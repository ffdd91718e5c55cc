// The pause before something that failed is tried again. It grows with each failure in a row up to
// a maximum.

/** The jitter: by which share a pause may be shorter or longer, so that many do not coincide. */
export function backoff(
  firstMs: number,
  factor: number,
  maxMs: number,
  { shorter, longer } = { shorter: 0, longer: 0 },
) {
  /** The first failure is 1. `random` is from 0 to 1. */
  return (failures: number, random = 0, atLeastMs = 0): number => {
    const pauseMs = Math.max(atLeastMs, Math.min(firstMs * factor ** (failures - 1), maxMs));
    return Math.round(pauseMs * (1 - shorter + (shorter + longer) * random));
  };
}
