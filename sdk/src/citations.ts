// Citations: results become numbered sources for a prompt, and an answer is checked against them.
// The Python client does the same; both are tested with python/tests/citation-cases.json.
import { frameTexts, newMarker } from './frame.ts';

/** A result of a search, an extraction or a tool. */
export interface CitedResult {
  url: string;
  title?: string | null | undefined;
  snippets?: readonly string[] | undefined;
  full_text?: string | undefined;
  summary?: string | undefined;
  content?: string | undefined;
  excerpts?: readonly string[] | undefined;
}

/** An answer of the client, an output of a tool, or results of your own. */
export type SourceInput =
  | { results: readonly CitedResult[] }
  | { pages: readonly CitedResult[] }
  | readonly CitedResult[];

export interface Source {
  /** The number by which an answer cites it, starting at 1. */
  number: number;
  url: string;
  title: string | null;
  texts: string[];
}

export interface Citation {
  /** The citation as written in the answer, such as `[1, 3]`, and its position. */
  text: string;
  at: number;
  numbers: number[];
  /** The numbers that have no source. */
  unknown: number[];
}

export interface Quote {
  text: string;
  at: number;
  /** The sources that the answer cites for the quote. */
  cited: number[];
  /** The sources that contain the quote. */
  found_in: number[];
  /**
   * `found`: in a cited source. `elsewhere`: only in a source that is not cited. `uncited`: the answer
   * cites no source for it. `missing`: in no source.
   */
  finding: 'found' | 'elsewhere' | 'uncited' | 'missing';
}

export interface CitationCheck {
  /** True if every citation has a source, and every quote with a citation is in a cited source. */
  ok: boolean;
  citations: Citation[];
  quotes: Quote[];
  /** The sources that the answer does not cite. */
  unused: number[];
}

/** Numbers the results. Results with the same address are one source. */
export function numberSources(...given: readonly SourceInput[]): Source[] {
  const sources = new Map<string, Source>();
  for (const { url, title, ...texts } of given.flatMap(resultsOf)) {
    const source = sources.get(url) ?? { number: sources.size + 1, url, title: null, texts: [] };
    source.title ??= title ?? null;
    const { snippets = [], excerpts = [], summary, full_text, content } = texts;
    for (const text of [...snippets, ...excerpts, summary, full_text, content]) {
      if (text && !source.texts.includes(text)) source.texts.push(text);
    }
    sources.set(url, source);
  }
  return [...sources.values()];
}

function resultsOf(given: SourceInput): readonly CitedResult[] {
  if ('pages' in given) return given.pages;
  return 'results' in given ? given.results : given;
}

/** Writes the sources as text for a prompt, between marks with a number that no page can guess. */
export function writeSources(sources: readonly Source[], marker = newMarker()): string {
  const texts = sources.map(({ number, url, title, texts: own }) => {
    const head = `[${number}] ${(title ?? url).replaceAll(spaces, ' ')}`;
    return [head, url.replaceAll(spaces, ''), '', ...own].join('\n');
  });
  return `Cite these sources by their numbers, such as [1].\n${frameTexts(texts, marker)}`;
}

/** Checks that the citations of an answer have sources, and that its quotes are in them. */
export function checkCitations(answer: string, sources: readonly Source[]): CitationCheck {
  const known = new Set(sources.map(({ number }) => number));
  const citations = citationsIn(answer).map((one) => ({
    ...one,
    unknown: one.numbers.filter((number) => !known.has(number)),
  }));
  const normalized = sources.map(({ number, title, texts }) => ({
    number,
    texts: [title ?? '', ...texts].map(normalize),
  }));
  const found = quotesIn(answer);
  const quotes = found.map(({ text, at, end, segments }, index): Quote => {
    const next = found[index + 1]?.at ?? answer.length;
    const before = found[index - 1]?.end ?? 0;
    const cited = citedFor(answer, citations, { at, end, next, before });
    const foundIn = normalized
      .filter(({ texts }) => texts.some((one) => hasInOrder(one, segments)))
      .map(({ number }) => number);
    return { text, at, cited, found_in: foundIn, finding: findingOf(cited, foundIn) };
  });
  const used = new Set(citations.flatMap(({ numbers }) => numbers));
  return {
    ok:
      citations.every(({ unknown }) => unknown.length === 0) &&
      quotes.every(({ finding }) => finding === 'found' || finding === 'uncited'),
    citations,
    quotes,
    unused: [...known].filter((number) => !used.has(number)),
  };
}

function findingOf(cited: readonly number[], foundIn: readonly number[]): Quote['finding'] {
  if (foundIn.length === 0) return 'missing';
  if (cited.length === 0) return 'uncited';
  return cited.some((number) => foundIn.includes(number)) ? 'found' : 'elsewhere';
}

/** `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, and `【1†source】` as some models write it. */
const citation = /[[【]\^?(\d{1,4}(?: ?[,;–-] ?\d{1,4}){0,50})(?:†[^\]】\n]{0,200})?[\]】]/g;
/** Only the ends of a longer range count. */
const maxRange = 100;

function citationsIn(answer: string): Omit<Citation, 'unknown'>[] {
  return [...answer.matchAll(citation)].map(({ 0: text, 1: list = '', index: at }) => ({
    text,
    at,
    numbers: [...new Set(list.split(/[,;]/).flatMap(numbersOf))],
  }));
}

function numbersOf(part: string): number[] {
  const ends = part.split(/[–-]/).map(Number);
  const [from = 0, to = from] = [ends[0], ends.at(-1)];
  if (to < from || to - from > maxRange) return ends;
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

interface Found {
  text: string;
  at: number;
  end: number;
  segments: string[];
}

const quoted =
  /"([^"\n]{1,2000})"|“([^“”]{1,2000})”|„([^„“”]{1,2000})[“”]|«([^«»]{1,2000})»|「([^「」]{1,2000})」|『([^『』]{1,2000})』|(?<=^|\n)> ([^\n]{1,2000}(?:\n> ?[^\n]{1,2000}){0,50})/g;
const minWords = 4;
const minUnspaced = 8;

/** Finds quoted sentences. A single quoted term does not count. */
function quotesIn(answer: string): Found[] {
  return [...answer.matchAll(quoted)].flatMap((match) => {
    const { 0: whole, index: at } = match;
    const text = match.slice(1).find((group) => group !== undefined) ?? '';
    const words = normalize(text.replaceAll(citation, ' '));
    const isUnspaced = /[\u3040-\u9fff]/.test(words) && words.length >= minUnspaced;
    if (words.split(' ').length < minWords && !isUnspaced) return [];
    const segments = words.split(/\.{3,}|(?:\. ){2,}\./).map(trimMarks);
    return [{ text, at, end: at + whole.length, segments: segments.filter((one) => one !== '') }];
  });
}

/** The citations that follow a quote in its paragraph, or else those before it. */
function citedFor(
  answer: string,
  citations: readonly Citation[],
  { at, end, next, before }: { at: number; end: number; next: number; before: number },
): number[] {
  const paragraph = answer.slice(end, next).indexOf('\n\n');
  const until = paragraph < 0 ? next : end + paragraph;
  const inside = within(citations, at, end);
  const after = within(citations, end, until);
  const from = before + answer.slice(before, at).lastIndexOf('\n\n') + 1;
  const earlier = within(citations, from, at).slice(-1);
  const group = inside.length > 0 ? inside : after.length > 0 ? firstGroup(answer, after) : earlier;
  return [...new Set(group.flatMap(({ numbers }) => numbers))];
}

/** The citations that start within a part of the answer. They are sorted by position. */
function within(citations: readonly Citation[], from: number, until: number): Citation[] {
  const firstFrom = (place: number) => {
    let [low, high] = [0, citations.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((citations[middle]?.at ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return citations.slice(firstFrom(from), firstFrom(until));
}

/** Citations with nothing but spaces and commas between them. */
function firstGroup(answer: string, citations: readonly Citation[]): Citation[] {
  const end = citations.findIndex((one, index) => {
    const last = citations[index - 1];
    return last && !/^[ ,;]*$/.test(answer.slice(last.at + last.text.length, one.at));
  });
  return citations.slice(0, end < 0 ? citations.length : end);
}

const spaces = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
const hidden = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const linkTarget = /\]\([^()\s]{0,2000}\)/g;
const dashes = /[\u2010-\u2015\u2212]/g;
const marks = /["'“”„‟‘’‚‛«»‹›「」『』`´*_#~|<>\\[\]]/g;

/** Removes differences in quotes, spaces, dashes, Unicode forms and emphasis. */
function normalize(text: string): string {
  return text
    .replaceAll(marksThatDecompose, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(hidden, '')
    .replaceAll(linkTarget, ']')
    .replaceAll(dashes, '-')
    .replaceAll(marks, '')
    .replaceAll(spaces, ' ')
    .trim();
}

const marksThatDecompose = /´/g;
const edge = ' .,;:!?-';

function trimMarks(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && edge.includes(text[from] ?? '')) from += 1;
  while (to > from && edge.includes(text[to - 1] ?? '')) to -= 1;
  return text.slice(from, to);
}

function hasInOrder(text: string, segments: readonly string[]): boolean {
  let from = 0;
  for (const segment of segments) {
    const at = text.indexOf(segment, from);
    if (at < 0) return false;
    from = at + segment.length;
  }
  return segments.length > 0;
}
