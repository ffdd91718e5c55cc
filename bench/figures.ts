// Writes the figures of bench/results.json into bench/results.md and into the documents that quote
// them: `npm run bench:figures`. `npm run bench` does the same at its end.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeArithmetic } from './arithmetic.ts';
import { figuresOf, type Results, writeReport } from './overhead/report.ts';

const root = join(import.meta.dir, '..');

/** A figure that a document quotes: the group of the pattern is its place. */
interface Quoted {
  page: string;
  pattern: RegExp;
  figure: number | undefined;
  digits?: number;
}

function quotedFigures({ lines }: Results): Quoted[] {
  const figures = figuresOf(lines);
  const page = 'docs/why.md';
  return [
    { page, pattern: /adds ([\d.]+) ms to the median/, figure: figures.addedP50Ms, digits: 1 },
    {
      ...{ page, pattern: /it serves ([\d,]+)\s+requests per second/ },
      ...{ figure: figures.perSecond, digits: 0 },
    },
    { page, pattern: /served about ([\d.]+) times\s+its/, figure: figures.timesPortkey, digits: 0 },
    {
      ...{ page, pattern: /answered about ([\d.]+) times as many/ },
      ...{ figure: figures.timesLiteLlm, digits: 0 },
    },
    {
      ...{ page, pattern: /added about ([\d.]+) times\s+its/ },
      ...{ figure: figures.addedP99OfPortkey, digits: 1 },
    },
    {
      ...{ page, pattern: /nor charges, served about ([\d.]+) times the requests/, digits: 0 },
      figure: figures.timesNginx === undefined ? undefined : 1 / figures.timesNginx,
    },
  ];
}

/** Every page that has figures, as it should be. A page that lacks a figure is an error. */
export function pagesWithFigures(results: Results): Map<string, string> {
  const pages = new Map([['bench/results.md', writeReport(results)]]);
  for (const { page, pattern, figure, digits = 2 } of quotedFigures(results)) {
    const text = pages.get(page) ?? readFileSync(join(root, page), 'utf8');
    if (!pattern.test(text)) throw new Error(`${page} has no figure like ${pattern.source}`);
    const written = figure?.toLocaleString('en', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    const replaced = text.replace(pattern, (whole, before: string) =>
      written === undefined ? whole : whole.replace(before, written),
    );
    pages.set(page, replaced);
  }
  return pages;
}

export function writeFigures(results: Results): void {
  for (const [page, text] of pagesWithFigures(results)) writeFileSync(join(root, page), text);
  process.stdout.write(`\n${writeReport(results)}`);
}

/** Undefined before the first run of `npm run bench`. */
export function readResults(): Results | undefined {
  const file = join(import.meta.dir, 'results.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : undefined;
}

if (import.meta.main) {
  writeArithmetic();
  const results = readResults();
  if (!results) throw new Error('There are no results yet: npm run bench');
  writeFigures(results);
}
