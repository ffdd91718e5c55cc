// What a text from the web can contain besides its words. A reason never repeats the text itself,
// because the reader of the reason may be the model that the text addresses.

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
