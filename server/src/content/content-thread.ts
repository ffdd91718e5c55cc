// The thread for work on texts from the web that would delay other callers: it scans long answers,
// and counts and cuts them for a token budget. The table of the tokenizer takes 60 MB and a quarter
// of a second to load, so it is loaded for the first budget.
import { shareBudget } from '@trivium/contract/share-budget';
import { cutAtSentence } from './core/cut-at-sentence.ts';
import { scanTexts } from './core/scan-texts.ts';
import type { ScannedText } from './core/scan-texts.ts';
import { piecesOf } from './core/token-pieces.ts';

declare const self: Worker;

export interface RankedText {
  text: string;
  rank: number;
}

export interface Work {
  fit: { texts: readonly RankedText[]; budget: number };
  scan: { texts: readonly string[]; isCleaned: boolean };
}

export interface Outcome {
  /** The texts that had to be cut, by their position. */
  fit: [position: number, text: string][];
  scan: ScannedText[];
}

export type ToContentThread = { id: number; work: Partial<Work> };
export type FromContentThread = { id: number; outcome: Outcome[keyof Outcome] };

self.addEventListener('message', ({ data }: MessageEvent<ToContentThread>) => void answer(data));

async function answer({ id, work: { fit, scan } }: ToContentThread): Promise<void> {
  const outcome = fit
    ? fitTexts(await loadTokenizer(), fit)
    : scanTexts(scan?.texts ?? [], scan?.isCleaned === true);
  self.postMessage({ id, outcome } satisfies FromContentThread);
}

type Tokenizer = Awaited<ReturnType<typeof loadTokenizer>>;

function loadTokenizer() {
  return import('gpt-tokenizer/encoding/o200k_base');
}

/** What looks like a special token counts as text here. */
const asText = { disallowedSpecial: new Set<string>() };

function tokensOf({ encode }: Tokenizer, text: string): number[] {
  return piecesOf(text).flatMap((piece) => encode(piece, asText));
}

function fitTexts(tokenizer: Tokenizer, { texts, budget }: Work['fit']): Outcome['fit'] {
  const tokens = texts.map(({ text }) => tokensOf(tokenizer, text));
  const shares = shareBudget(
    texts.map(({ rank }, at) => ({ length: tokens[at]?.length ?? 0, rank })),
    budget,
  );
  return texts.flatMap(({ text }, at): Outcome['fit'] => {
    const own = tokens[at] ?? [];
    const share = shares[at] ?? 0;
    if (own.length <= share) return [];
    return [[at, cutToShare(tokenizer, text, own, share)]];
  });
}

/** The end of a cut text may be encoded differently, so it is counted again. */
function cutToShare(
  tokenizer: Tokenizer,
  text: string,
  tokens: readonly number[],
  share: number,
): string {
  for (let kept = share; kept > 0; kept = Math.floor(0.9 * kept)) {
    const decoded = tokenizer.decode(tokens.slice(0, kept));
    const cut = cutAtSentence(text.slice(0, wholePrefix(text, decoded)));
    if (tokensOf(tokenizer, cut).length <= share) return cut;
  }
  return '';
}

/** Drops the last character if its bytes are in two tokens. */
function wholePrefix(text: string, decoded: string): number {
  let length = Math.min(text.length, decoded.length);
  while (length > 0 && text[length - 1] !== decoded[length - 1]) length -= 1;
  return length;
}
