// The figures in docs/trusted-content.md are those of bench/content.json, and they reach the goals
// that do not depend on the texts of test kits.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContentFigures, withFigures } from './content/report.ts';

const read = (path: string) => readFileSync(join(import.meta.dir, path), 'utf8');
const figures = JSON.parse(read('content.json')) as ContentFigures;

test('the figures of the page are those of the last run', () => {
  const page = read('../docs/trusted-content.md');
  // The formatter pads tables.
  const plain = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
  expect(plain(withFigures(page, figures))).toBe(plain(page));
});

test('every class of the sandbox is found, and ordinary text is rarely flagged', () => {
  for (const { pages, found } of figures.classes) expect(found).toBe(pages);
  for (const { corpus, paragraphs, flagged } of figures.benign) {
    if (corpus.includes('SDK for models')) continue;
    expect([corpus, (1000 * flagged) / paragraphs <= 2]).toEqual([corpus, true]);
  }
});
