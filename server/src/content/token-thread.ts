// The thread that counts tokens and cuts texts: the table of the tokenizer takes a quarter of a
// second to load and 60 MB, so it is loaded for the first budget, and never by the main thread.
import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base';
import { cutAtSentence, shareBudget } from './core/share-budget.ts';
import { piecesOf } from './core/token-pieces.ts';

declare const self: Worker;

export interface ToTokenThread {
  id: number;
  texts: readonly { text: string; rank: number }[];
  budget: number;
}

export interface FromTokenThread {
  id: number;
  /** The texts that had to be cut, by their position. */
  cut: [position: number, text: string][];
}

/** What looks like a special token is text here. */
const asText = { disallowedSpecial: new Set<string>() };

self.addEventListener('message', ({ data }: MessageEvent<ToTokenThread>) => {
  const answer: FromTokenThread = { id: data.id, cut: fit(data) };
  self.postMessage(answer);
});

function tokensOf(text: string): number[] {
  return piecesOf(text).flatMap((piece) => encode(piece, asText));
}

function fit({ texts, budget }: ToTokenThread): FromTokenThread['cut'] {
  const tokens = texts.map(({ text }) => tokensOf(text));
  const shares = shareBudget(
    texts.map(({ rank }, at) => ({ tokens: tokens[at]?.length ?? 0, rank })),
    budget,
  );
  return texts.flatMap(({ text }, at): FromTokenThread['cut'] => {
    const own = tokens[at] ?? [];
    const share = shares[at] ?? 0;
    if (own.length <= share) return [];
    return [[at, cutToShare(text, own, share)]];
  });
}

/** The end of a cut text may be encoded otherwise, so it is counted again. */
function cutToShare(text: string, tokens: readonly number[], share: number): string {
  for (let kept = share; kept > 0; kept = Math.floor(0.9 * kept)) {
    const cut = cutAtSentence(text.slice(0, wholePrefix(text, decode(tokens.slice(0, kept)))));
    if (tokensOf(cut).length <= share) return cut;
  }
  return '';
}

/** Without the last character if its bytes are in two tokens. */
function wholePrefix(text: string, decoded: string): number {
  let length = Math.min(text.length, decoded.length);
  while (length > 0 && text[length - 1] !== decoded[length - 1]) length -= 1;
  return length;
}
