// Parts of a text that are reported and removed, and how a position in what is left leads back.
import { joinSignals } from './signals.ts';
import type { Signal, SignalId } from './signals.ts';

export interface Part {
  id: SignalId;
  /** What is removed, in order. A link only loses its marks and its address. */
  ranges: [from: number, to: number][];
}

interface Rest {
  text: string;
  signals: Signal[];
  /** The position in the text from which the parts were removed. */
  at: (position: number) => number;
}

/** A part that starts inside another is removed with it, and not counted. */
export function withoutParts(text: string, parts: readonly Part[]): Rest {
  const inOrder = parts
    .flatMap(({ id, ranges }) => ranges.map(([from, to], nth) => ({ id, from, to, nth })))
    .sort((one, two) => one.from - two.from);
  const found: Signal[] = [];
  const kept: { from: number; origin: number }[] = [];
  let [rest, length, end] = ['', 0, 0];
  for (const { id, from, to, nth } of inOrder) {
    if (nth === 0 && from >= end) found.push({ id, at: from, count: 1 });
    if (from > end) {
      kept.push({ from: length, origin: end });
      rest += text.slice(end, from);
      length += from - end;
    }
    end = Math.max(end, to);
  }
  kept.push({ from: length, origin: end });
  const at = (position: number) => {
    const piece = kept.findLast(({ from }) => from <= position) ?? { from: 0, origin: 0 };
    return Math.min(text.length, piece.origin + position - piece.from);
  };
  return { text: rest + text.slice(end), signals: joinSignals(found), at };
}
