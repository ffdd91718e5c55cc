// The figures about trusted content, and the section of its page that is generated from them.
import { table } from '../overhead/report.ts';

export interface ContentFigures {
  date: string;
  /** Pages of the sandbox by the class of attack that they contain. */
  classes: { signal: string; pages: number; found: number }[];
  kits: { list: string; is_held_out: boolean; texts: number; found: number }[];
  /** Ordinary paragraphs, and those in which an instruction was found. */
  benign: { corpus: string; paragraphs: number; flagged: number }[];
  scan_ms_per_100_kb: number;
}

/** What the figures begin with, and what follows them. */
const start = '\nMeasured on ';
const end = '\n## Check citations';

/** The page with these figures. */
export function withFigures(page: string, figures: ContentFigures): string {
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < 0) throw new Error('docs/trusted-content.md has no place for figures.');
  return `${page.slice(0, from)}\n${partOf(figures)}\n${page.slice(to)}`;
}

function partOf({ date, classes, kits, benign, scan_ms_per_100_kb: ms }: ContentFigures): string {
  const share = (found: number, of: number) => `${Math.round((100 * found) / of)} %`;
  const sum = (held: boolean) => {
    const all = kits.filter((kit) => kit.is_held_out === held);
    const add = (of: 'texts' | 'found') => all.reduce((total, kit) => total + kit[of], 0);
    return share(add('found'), add('texts'));
  };
  const rows = kits.map(({ list, is_held_out, texts, found }) => [
    ...[list, is_held_out ? 'held out' : 'seen', String(texts), share(found, texts)],
  ]);
  const pages = classes.map(({ signal, pages: of, found }) => [
    ...[`\`${signal}\``, String(of), share(found, of)],
  ]);
  const alarms = benign.map(({ corpus, paragraphs, flagged }) => [
    ...[corpus, String(paragraphs), ((1000 * flagged) / paragraphs).toFixed(1)],
  ]);
  return [
    `Measured on ${date}. Scanning 100 kB takes ${ms} ms of processor time.`,
    table(['Pages of the sandbox', 'Pages', 'Found'], pages),
    `Of the texts in the kits that were seen while the phrases were written, ${sum(false)} are found, and of those held out, ${sum(true)}:`,
    table(['List of a test kit', 'While writing', 'Texts', 'Found'], rows),
    table(['Ordinary text', 'Paragraphs', 'False alarms per 1,000'], alarms),
  ].join('\n\n');
}
