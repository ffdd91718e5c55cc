// What a text from the web can contain besides its words. A reason never repeats the text itself,
// because the reader of the reason may be the model that the text addresses. Also the parts of a text
// that are reported and removed, and how a position in what is left leads back.

export const signalReasons = {
  invisible_text: 'characters that are not shown',
  bidirectional_control: 'control characters that reorder the text around them',
  tag_characters: 'tag characters, which can spell a hidden text',
  variation_data: 'variation selectors that select nothing and can carry data',
  lookalike_host: 'an address whose host imitates another in a second alphabet',
  instruction: 'a sentence that gives a model instructions',
  chat_markup: 'markup of a conversation or of a tool call',
  hidden_element: 'an element that a browser does not show',
  outgoing_data: 'an image or a link made to carry data out',
  encoded_data: 'a long encoded text',
  not_checked:
    'the text could not be checked in time; ask again without the cache, or for less text',
} as const;

export type SignalId = keyof typeof signalReasons;

/** One kind of signal in one text. */
export interface Signal {
  id: SignalId;
  /** Where the first one starts, in UTF-16 code units. */
  at: number;
  /** How many there are. */
  count: number;
}

export function isSignal(value: unknown): value is Signal {
  const { id, at, count } = Object(value) as Record<keyof Signal, unknown>;
  const isKnown = typeof id === 'string' && Object.hasOwn(signalReasons, id);
  return isKnown && typeof at === 'number' && typeof count === 'number';
}

/** Adds up what several detectors report, in the order of the table. */
export function joinSignals(found: readonly Signal[]): Signal[] {
  const joined = new Map<SignalId, Signal>();
  for (const { id, at, count } of found) {
    const known = joined.get(id);
    joined.set(
      id,
      known ? { id, at: Math.min(known.at, at), count: known.count + count } : { id, at, count },
    );
  }
  return [...joined.values()].sort((one, two) => one.at - two.at);
}

export interface TextPart {
  id: SignalId;
  /** What is removed, in order. A link only loses its marks and its address. */
  ranges: [from: number, to: number][];
}

/** A part that starts inside another is removed with it, and not counted. */
export function withoutParts(text: string, parts: readonly TextPart[]) {
  const inOrder = parts
    .flatMap(({ id, ranges }) => ranges.map(([from, to], nth) => ({ id, from, to, nth })))
    .sort((one, two) => one.from - two.from);
  const found: Signal[] = [];
  const pieces: { from: number; origin: number }[] = [];
  let [rest, length, end] = ['', 0, 0];
  for (const { id, from, to, nth } of inOrder) {
    if (nth === 0 && from >= end) found.push({ id, at: from, count: 1 });
    if (from > end) {
      pieces.push({ from: length, origin: end });
      rest += text.slice(end, from);
      length += from - end;
    }
    end = Math.max(end, to);
  }
  pieces.push({ from: length, origin: end });
  /** The position in the text from which the parts were removed. */
  const at = (position: number) => {
    const piece = pieces.findLast(({ from }) => from <= position) ?? { from: 0, origin: 0 };
    return Math.min(text.length, piece.origin + position - piece.from);
  };
  return { text: rest + text.slice(end), signals: joinSignals(found), at };
}
