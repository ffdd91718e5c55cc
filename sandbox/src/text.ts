// Derives passages, plain text and short summaries from a page's markdown.
import { termsOf } from './terms.ts';

export type Passage = { text: string; score: number };

/** The paragraphs that best match the terms, best first; the first ones if none matches. */
export function bestPassages(markdown: string, terms: string[], limit: number): Passage[] {
  const prose = splitBlocks(markdown).filter((block) => !/^[#|]/.test(block));
  const weighed = prose.map((text, index) => ({ text, index, score: weigh(text, terms) }));
  weighed.sort((one, other) => other.score - one.score || one.index - other.index);
  return weighed.slice(0, limit).map(({ text, score }) => ({ text, score }));
}

/** The text without markdown syntax. */
export function toPlainText(markdown: string): string {
  return markdown
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^#{1,6}\s+/gm, '')
    .replace(/^\|[\s:|-]+\|$\n?/gm, '')
    .replace(/^\|\s*(.*?)\s*\|$/gm, (_, row: string) => row.replace(/\s*\|\s*/g, '  '))
    .replace(/^[-*]\s+/gm, '')
    .replace(/(\*\*|__|`)/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** One or two sentences from the passages that match the terms. */
export function summarise(markdown: string, terms: string[]): string {
  const sentences = bestPassages(markdown, terms, summarySentences).map((passage) =>
    firstSentence(toPlainText(passage.text)),
  );
  return sentences.join(' ');
}

/** At most `length` characters, without splitting a character. */
export function cutAt(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

const summarySentences = 2;
const firstSentencePattern = /^.*?[.!?。](?=\s|$|[^\s\d])/su;

function firstSentence(text: string): string {
  return (firstSentencePattern.exec(text)?.[0] ?? text).trim();
}

function weigh(text: string, terms: string[]): number {
  if (terms.length === 0) return 0;
  const held = new Set(termsOf(text));
  const matched = terms.filter((term) => held.has(term)).length;
  return Math.round((matched / terms.length) * 10_000) / 10_000;
}

/** Markdown blocks: headings, tables, lists and paragraphs, in reading order. */
export function splitBlocks(markdown: string): string[] {
  return markdown
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '');
}
