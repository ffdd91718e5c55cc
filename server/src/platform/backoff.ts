// The pause before something that failed is tried again. It grows with each failure in a row up to
// a maximum.

interface Jitter {
  /** A pause is shorter by up to this share, so that many do not end together … */
  shorter: number;
  /** … or longer by up to this one. */
  longer: number;
}

type PauseAfter = (
  /** How many failures in a row there are, or pauses of a wait. */
  failures: number,
  /** From 0 to 1. */
  random?: number,
  /** For example what a provider asks for. */
  atLeastMs?: number,
) => number;

export function backoff(
  firstMs: number,
  factor: number,
  maxMs: number,
  { shorter, longer }: Jitter = { shorter: 0, longer: 0 },
): PauseAfter {
  return (failures, random = 0, atLeastMs = 0) => {
    const pauseMs = Math.max(atLeastMs, Math.min(firstMs * factor ** (failures - 1), maxMs));
    return Math.round(pauseMs * (1 - shorter + (shorter + longer) * random));
  };
}
