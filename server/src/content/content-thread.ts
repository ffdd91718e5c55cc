// The thread for work on texts from the web that would delay other callers: it scans long texts,
// chooses their passages, and counts and cuts them for a token budget. The table of the tokenizer
// takes 60 MB and a quarter of a second to load, so it is loaded for the first budget.
import { shareBudget } from '@trivium/contract/share-budget';
import { answerTasks } from '../platform/thread.ts';
import { cutAtSentence } from './core/cut-at-sentence.ts';
import { choosePassages } from './core/passages.ts';
import { scanTexts } from './core/scan-texts.ts';
import type { ScannedText } from './core/scan-texts.ts';
import { piecesOf } from './core/token-pieces.ts';

export interface RankedText {
  text: string;
  rank: number;
}

export interface ContentTask {
  fit: { texts: readonly RankedText[]; budget: number };
  scan: { texts: readonly string[]; isCleaned: boolean };
  choose: { text: string; query: string; count: number };
}

export interface ContentOutcome {
  /** The texts that had to be cut, by their position. */
  fit: [position: number, text: string][];
  scan: ScannedText[];
  choose: string[];
}

let tokenizer: Awaited<ReturnType<typeof loadTokenizer>> | undefined;

answerTasks<Partial<ContentTask>, ContentOutcome[keyof ContentOutcome]>(
  ({ fit, scan, choose }) => {
    if (fit && tokenizer) return fitTexts(tokenizer, fit);
    if (choose) return choosePassages(choose.text, choose.query, choose.count);
    if (scan) return scanTexts(scan.texts, scan.isCleaned);
    throw new Error('the thread does not know this task');
  },
  async ({ fit }) => {
    if (fit) tokenizer ??= await loadTokenizer();
  },
);

type Tokenizer = Awaited<ReturnType<typeof loadTokenizer>>;

function loadTokenizer() {
  return import('gpt-tokenizer/encoding/o200k_base');
}

/** What looks like a special token counts as text here. */
const asText = { disallowedSpecial: new Set<string>() };

/** The first tokens of a text: one more than `max` if there are more. */
function tokensOf({ encode }: Tokenizer, text: string, max: number): number[] {
  const tokens: number[] = [];
  for (const piece of piecesOf(text)) {
    for (const token of encode(piece, asText)) tokens.push(token);
    if (tokens.length > max) return tokens.slice(0, max + 1);
  }
  return tokens;
}

function fitTexts(used: Tokenizer, { texts, budget }: ContentTask['fit']): ContentOutcome['fit'] {
  const tokens = texts.map(({ text }) => tokensOf(used, text, budget));
  const shares = shareBudget(
    texts.map(({ rank }, at) => ({ length: tokens[at]?.length ?? 0, rank })),
    budget,
  );
  return texts.flatMap(({ text }, at): ContentOutcome['fit'] => {
    const own = tokens[at] ?? [];
    const share = shares[at] ?? 0;
    if (own.length <= share) return [];
    return [[at, cutToShare(used, text, own, share)]];
  });
}

/** The end of a cut text may be encoded differently, so it is counted again. */
function cutToShare(
  used: Tokenizer,
  text: string,
  tokens: readonly number[],
  share: number,
): string {
  for (let kept = share; kept > 0; kept = Math.floor(0.9 * kept)) {
    const decoded = used.decode(tokens.slice(0, kept));
    const cut = cutAtSentence(text.slice(0, wholePrefix(text, decoded)));
    if (tokensOf(used, cut, share).length <= share) return cut;
  }
  return '';
}

/** Drops the last character if its bytes are in two tokens. */
function wholePrefix(text: string, decoded: string): number {
  let length = Math.min(text.length, decoded.length);
  while (length > 0 && text[length - 1] !== decoded[length - 1]) length -= 1;
  return length;
}
