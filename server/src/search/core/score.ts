// Scores: the engine's own, otherwise derived from the rank and marked as synthesized.

export interface Score {
  score: number;
  score_synthesized: boolean;
}

export function scoreOf(native: number | undefined, rank: number): Score {
  return native === undefined
    ? { score: Math.round(1_000_000 / rank) / 1_000_000, score_synthesized: true }
    : { score: native, score_synthesized: false };
}
