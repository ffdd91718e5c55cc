// Shortens texts: to the passages of a page that answer a query (BM25 over its paragraphs), or to a
// budget of tokens, at the end of a sentence or of a word.
import { shareBudget } from '@trivium/shared/share-budget';
import { wholeEnd } from '@trivium/shared/whole-end';

const k1 = 1.2;
const b = 0.75;
const maxParagraphs = 20_000;
const maxQueryTerms = 64;
const minParagraphLength = 40;

/** The best passages first, exactly as in the text. Empty if no word of the query occurs in it. */
export function choosePassages(text: string, query: string, count: number): string[] {
  const terms = [...new Set(wordsOf(query))].slice(0, maxQueryTerms);
  if (terms.length === 0) return [];
  const paragraphs = paragraphsOf(text);
  const counts = paragraphs.map((paragraph) => countTerms(paragraph, new Set(terms)));
  const average = counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counts.length);
  const weights = terms.map((term) => {
    const having = counts.filter(({ found }) => found.has(term)).length;
    return Math.log(1 + (counts.length - having + 0.5) / (having + 0.5));
  });
  const scores = counts.map(({ found, length }) =>
    terms.reduce((sum, term, at) => {
      const times = found.get(term) ?? 0;
      const norm = times + k1 * (1 - b + (b * length) / Math.max(1, average));
      return sum + ((weights[at] ?? 0) * times * (k1 + 1)) / norm;
    }, 0),
  );
  return paragraphs
    .map((paragraph, at) => ({ paragraph, score: scores[at] ?? 0, at }))
    .filter(({ score }) => score > 0)
    .sort((one, two) => two.score - one.score || one.at - two.at)
    .slice(0, count)
    .map(({ paragraph }) => paragraph);
}

/** A heading belongs to the paragraph that follows it. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let before = '';
  for (const part of text.split(/\n[ \t]*\n/).slice(0, maxParagraphs)) {
    const paragraph = before === '' ? part.trim() : `${before}\n${part.trim()}`;
    if (paragraph.length < minParagraphLength) {
      before = paragraph;
      continue;
    }
    paragraphs.push(paragraph);
    before = '';
  }
  return before === '' ? paragraphs : [...paragraphs, before];
}

function countTerms(text: string, terms: ReadonlySet<string>) {
  const found = new Map<string, number>();
  let length = 0;
  for (const word of wordsOf(text)) {
    length += 1;
    if (terms.has(word)) found.set(word, (found.get(word) ?? 0) + 1);
  }
  return { found, length };
}

/** Scripts without spaces are compared by pairs of characters. */
function* wordsOf(text: string): Generator<string> {
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (!/[\u3040-\u9fff]/.test(word)) {
      yield word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word;
      continue;
    }
    for (let at = 0; at < word.length - 1; at += 1) yield word.slice(at, at + 2);
    if (word.length === 1) yield word;
  }
}

const endOfSentence = /[.!?\u0964\u06d4]["'”’)\]]?(?=\s|$)|[\u3002\uff01\uff1f]|\n/g;

/** The text up to the last end of a sentence, unless that would lose more than half of it. */
export function cutAtSentence(text: string): string {
  let end = 0;
  for (const match of text.matchAll(endOfSentence)) end = match.index + match[0].length;
  if (end * 2 >= text.length) return text.slice(0, end).trimEnd();
  const space = text.lastIndexOf(' ');
  return space * 2 >= text.length
    ? text.slice(0, space)
    : text.slice(0, wholeEnd(text, text.length));
}

const maxPiece = 1000;
/** Used if no space is near. A run that is cut has a few more tokens, so a budget is still kept. */
const maxRun = 200;

/**
 * Cuts a text into pieces that are encoded separately: a tokenizer takes quadratic time for a run
 * without spaces, and a page may be one long run. A word includes the space before it, so a cut
 * there changes no token.
 */
export function* encodedPieces(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = endOfPiece(text, from);
    yield text.slice(from, end);
    from = end;
  }
}

function endOfPiece(text: string, from: number): number {
  if (text.length - from <= maxRun) return text.length;
  for (let at = Math.min(from + maxPiece, text.length - 1); at > from; at -= 1) {
    const isBetweenWords =
      text[at] === ' ' && !isSpace(text.charCodeAt(at - 1)) && !isSpace(text.charCodeAt(at + 1));
    if (isBetweenWords) return at;
  }
  return wholeEnd(text, from + maxRun);
}

function isSpace(code: number): boolean {
  return code <= 32 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x3000;
}

export interface RankedText {
  text: string;
  rank: number;
}

/** The texts that are cut to fit a budget of tokens, by their position. */
export type CutTexts = [position: number, text: string][];

interface Tokenizer {
  /** What looks like a special token counts as text here. */
  encode: (text: string, options: { disallowedSpecial: Set<string> }) => number[];
  decode: (tokens: number[]) => string;
}

export function fitTexts(
  tokenizer: Tokenizer,
  texts: readonly RankedText[],
  budget: number,
): CutTexts {
  const tokens = texts.map(({ text }) => tokensOf(tokenizer, text, budget));
  const shares = shareBudget(
    texts.map(({ rank }, at) => ({ length: tokens[at]?.length ?? 0, rank })),
    budget,
  );
  return texts.flatMap(({ text }, at): CutTexts => {
    const own = tokens[at] ?? [];
    const share = shares[at] ?? 0;
    return own.length <= share ? [] : [[at, cutToShare(tokenizer, text, own, share)]];
  });
}

/** A character has at most three bytes, and a token at least one: the budget is never exceeded. */
export function fitUncounted(texts: readonly RankedText[], budget: number): CutTexts {
  const shares = shareBudget(
    texts.map(({ text, rank }) => ({ length: 3 * text.length, rank })),
    budget,
  );
  return texts.flatMap(({ text }, at): CutTexts => {
    const length = Math.floor((shares[at] ?? 0) / 3);
    return length < text.length ? [[at, text.slice(0, wholeEnd(text, length))]] : [];
  });
}

const asText = { disallowedSpecial: new Set<string>() };

/** The first tokens of a text: one more than `max` if there are more. */
function tokensOf({ encode }: Tokenizer, text: string, max: number): number[] {
  const tokens: number[] = [];
  for (const piece of encodedPieces(text)) {
    for (const token of encode(piece, asText)) tokens.push(token);
    if (tokens.length > max) return tokens.slice(0, max + 1);
  }
  return tokens;
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
    if (tokensOf(tokenizer, cut, share).length <= share) return cut;
  }
  return '';
}

/** Drops the last character if its bytes are in two tokens. */
function wholePrefix(text: string, decoded: string): number {
  let length = Math.min(text.length, decoded.length);
  while (length > 0 && text[length - 1] !== decoded[length - 1]) length -= 1;
  return length;
}
