// What vendors make of a page's markdown: passages, plain text and short summaries.
import { termsOf } from './terms.ts';

export type Passage = { text: string; score: number };

/** The prose blocks that best answer the terms, best first; the opening ones when none does. */
export function bestPassages(markdown: string, terms: string[], limit: number): Passage[] {
  const prose = splitBlocks(markdown).filter((block) => !/^[#|]/.test(block));
  const weighed = prose.map((text, index) => ({ text, index, score: weigh(text, terms) }));
  weighed.sort((one, other) => other.score - one.score || one.index - other.index);
  return weighed.slice(0, limit).map(({ text, score }) => ({ text, score }));
}

/** The text a reader sees, without markdown signs. */
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

/** One or two sentences taken from the passages that fit the terms. */
export function summarise(markdown: string, terms: string[]): string {
  const sentences = bestPassages(markdown, terms, SUMMARY_SENTENCES).map((passage) =>
    firstSentence(toPlainText(passage.text)),
  );
  return sentences.join(' ');
}

/** At most `length` characters, never half of a character. */
export function cutAt(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

const SUMMARY_SENTENCES = 2;
const FIRST_SENTENCE = /^.*?[.!?。](?=\s|$|[^\s\d])/su;

function firstSentence(text: string): string {
  return (FIRST_SENTENCE.exec(text)?.[0] ?? text).trim();
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
