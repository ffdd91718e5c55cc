// Writes the figures of bench/*.json into bench/results.md and into the documents that quote them:
// `npm run bench -- figures`. The benchmarks that measure them do the same at their end.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LogFigures, writeArithmetic } from './arithmetic.ts';
import { figuresOf, type Results, writeReport } from './overhead/report.ts';

const root = join(import.meta.dir, '..');

/** The peaks of a gateway under attack, one per run: `npm run bench -- memory`. */
export interface MemoryFigures {
  date: string;
  peaksMib: number[];
}

/** A figure that documents quote: the group of the pattern is its place. */
interface Quoted {
  pages: readonly string[];
  pattern: RegExp;
  figure: number | undefined;
  digits?: number;
}

function quotedFigures({ lines }: Results): Quoted[] {
  const figures = figuresOf(lines);
  const memory = readFigures<MemoryFigures>('memory.json');
  const log = readFigures<LogFigures>('log.json');
  const why = ['docs/why.md'];
  const performance = ['maintainers/performance.md'];
  return [
    {
      ...{ pages: why, pattern: /adds ([\d.]+) ms to the median/ },
      ...{ figure: figures.addedP50Ms, digits: 1 },
    },
    {
      ...{ pages: why, pattern: /it serves ([\d,]+)\s+requests per second/ },
      ...{ figure: figures.perSecond, digits: 0 },
    },
    {
      ...{ pages: why, pattern: /served ([\d.]+) to [\d.]+ times\s+its/ },
      ...{ figure: figures.timesPortkeySorted.at(0), digits: 0 },
    },
    {
      ...{ pages: why, pattern: /(?<=served [\d.]+ to )([\d.]+) times\s+its/ },
      ...{ figure: figures.timesPortkeySorted.at(-1), digits: 0 },
    },
    {
      ...{ pages: why, pattern: /answered about ([\d.]+) times as many/ },
      ...{ figure: figures.timesLiteLlm, digits: 0 },
    },
    {
      ...{ pages: why, pattern: /added about ([\d.]+) times\s+its/ },
      ...{ figure: figures.addedP99OfPortkey, digits: 1 },
    },
    {
      ...{
        pages: why,
        pattern: /nor charges, served about ([\d.]+) times the requests/,
        digits: 0,
      },
      figure: figures.timesNginx === undefined ? undefined : 1 / figures.timesNginx,
    },
    {
      ...{
        pages: performance,
        pattern: /1\s+connection\s+took\s+about\s+([\d.]+)\s+times\s+the\s+CPU/,
      },
      ...{ figure: figures.cpuAlone, digits: 1 },
    },
    {
      ...{ pages: performance, pattern: /bare\s+proxy\s+about\s+([\d.]+)\s+times\./ },
      ...{ figure: figures.cpuAloneOfBun, digits: 1 },
    },
    {
      pages: [
        ...['SECURITY.md', 'docs/observability.md', 'deploy/kubernetes.yaml'],
        'deploy/helm/trivium/values.yaml',
      ],
      ...{ pattern: /peaks\s+at\s+about\s+(\d+)\s+MiB/, digits: 0 },
      figure: toTens(Math.max(...memory.peaksMib)),
    },
    {
      ...{ pages: ['docs/growing.md'], pattern: /takes\s+up\s+about\s+(\d+)\s+bytes/, digits: 0 },
      figure: toTens(log.SQLite.bytesPerRow),
    },
  ];
}

function toTens(value: number): number {
  return Math.round(value / 10) * 10;
}

/** Every page that has figures, as it should be. A page that lacks a figure is an error. */
export function pagesWithFigures(results: Results): Map<string, string> {
  const texts = new Map([['bench/results.md', writeReport(results)]]);
  for (const { pages, pattern, figure, digits = 2 } of quotedFigures(results)) {
    for (const page of pages) {
      const text = texts.get(page) ?? readPage(page);
      if (!pattern.test(text)) throw new Error(`${page} has no figure like ${pattern.source}`);
      const written = figure?.toLocaleString('en', {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
      const replaced = text.replace(pattern, (whole, before: string) =>
        written === undefined ? whole : whole.replace(before, written),
      );
      texts.set(page, replaced);
    }
  }
  return texts;
}

/** A page without the figures that this program writes into it. */
export function withoutFigures(page: string, results: Results): string {
  return quotedFigures(results)
    .filter(({ pages }) => pages.includes(page))
    .reduce((text, { pattern }) => text.replace(pattern, ''), readPage(page));
}

function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

export function writeFigures(results: Results): void {
  for (const [page, text] of pagesWithFigures(results)) writeFileSync(join(root, page), text);
  process.stdout.write(`\n${writeReport(results)}`);
}

/** Undefined before the first run of `npm run bench`. */
export function readResults(): Results | undefined {
  return existsSync(join(import.meta.dir, 'results.json'))
    ? readFigures<Results>('results.json')
    : undefined;
}

function readFigures<T>(name: string): T {
  return JSON.parse(readFileSync(join(import.meta.dir, name), 'utf8')) as T;
}

if (import.meta.main) {
  writeArithmetic();
  const results = readResults();
  if (!results) throw new Error('There are no results yet: npm run bench');
  writeFigures(results);
}
