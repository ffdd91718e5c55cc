// An inverted index of texts by their terms, used by every retriever of the study.
import type { Cutter } from './terms.ts';

export interface Posting {
  document: number;
  count: number;
}

export interface InvertedIndex {
  /** How many texts there are. */
  size: number;
  /** The number of terms of each text. */
  lengths: number[];
  meanLength: number;
  /** How many terms there are in all texts together. */
  totalLength: number;
  postings: Map<string, Posting[]>;
  /** The terms of each text with their counts. */
  counts: Map<string, number>[];
  cut: Cutter;
}

export function buildIndex(texts: readonly string[], cut: Cutter): InvertedIndex {
  const postings = new Map<string, Posting[]>();
  const counts = texts.map((text) => countTerms(cut(text)));
  counts.forEach((terms, document) => {
    for (const [term, count] of terms) {
      const list = postings.get(term);
      if (list) list.push({ document, count });
      else postings.set(term, [{ document, count }]);
    }
  });
  const lengths = counts.map((terms) => [...terms.values()].reduce((sum, count) => sum + count, 0));
  const totalLength = lengths.reduce((sum, length) => sum + length, 0);
  return {
    size: texts.length,
    lengths,
    meanLength: totalLength / Math.max(1, texts.length),
    totalLength,
    postings,
    counts,
    cut,
  };
}

export function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Documents with a positive score, the best first; of equals the one that came first. */
export function rankScores(scores: Float64Array): number[] {
  const found: number[] = [];
  scores.forEach((score, document) => {
    if (score > 0) found.push(document);
  });
  return found.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
}
