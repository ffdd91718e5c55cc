// How large the project is: lines of product code and of tests, files, and exported names of each
// part. scripts/size.json keeps the figures, and `npm run check` fails when one of them rises.
// `npm run generate -- size` writes them: a change that must raise one says why in its commit.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './command.ts';

type Figures = Readonly<Record<string, number>>;
/** The figures of each part of the project, by its folder. */
type Sizes = Readonly<Record<string, Figures>>;

interface SizeFile {
  path: string;
  text: string;
}

const sizeFile = join(projectRoot, 'scripts', 'size.json');
const counted = /\.(ts|tsx|mjs|py|css)$/;
const isTest = /\.test\.tsx?$|^python\/tests\/|^server\/test\/|^e2e\//;
/** Generated files say so in their first lines. */
const isGenerated = /^(?:.*\n){0,5}.*do not edit/i;
const contextType = /(?:interface|type) [A-Za-z]*Context[ <={]/g;

/** A module of the server, or a folder at the top. */
function partOf(path: string): string {
  const module = /^server\/src\/[\w-]+(?=\/)/.exec(path)?.[0];
  return module ?? /^[^/]+(?=\/)/.exec(path)?.[0] ?? 'root';
}

export function measureSizes(files: readonly SizeFile[]): Sizes {
  const sizes: Record<string, Record<string, number>> = {};
  const add = (part: string, name: string, amount: number) => {
    const figures = (sizes[part] ??= {});
    figures[name] = (figures[name] ?? 0) + amount;
  };
  for (const { path, text } of files) {
    if (path === 'package.json') add('root', 'package scripts', scriptsIn(text));
    if (!counted.test(path) || path.includes('/fixtures/') || isGenerated.test(text)) continue;
    const part = partOf(path);
    const isProduct = !isTest.test(path);
    add(part, isProduct ? 'lines' : 'test lines', text.split('\n').length - 1);
    if (!isProduct) continue;
    add(part, 'files', 1);
    if (path === `${part}/index.ts` && part.startsWith('server/'))
      add(part, 'names', namesIn(text));
    if (part.startsWith('server/src')) add('server/src', 'contexts', contextsIn(text));
  }
  return sizes;
}

function scriptsIn(text: string): number {
  const { scripts } = JSON.parse(text) as { scripts: object };
  return Object.keys(scripts).length;
}

function namesIn(text: string): number {
  const lists = text.replaceAll(/\s+/g, ' ').matchAll(/export (?:type )?\{([^}]*)\}/g);
  return [...lists].flatMap(([, names = '']) => names.split(',').filter((name) => name.trim()))
    .length;
}

function contextsIn(text: string): number {
  return [...text.matchAll(contextType)].length;
}

/** What rose, and what fell, in sentences. */
export function compareSizes(kept: Sizes, now: Sizes): { rose: string[]; fell: string[] } {
  const rose: string[] = [];
  const fell: string[] = [];
  for (const part of new Set([...Object.keys(kept), ...Object.keys(now)])) {
    const [before = {}, after = {}] = [kept[part], now[part]];
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [from, to] = [before[name] ?? 0, after[name] ?? 0];
      if (to > from) rose.push(`${part}: ${name} ${from} -> ${to}`);
      if (to < from) fell.push(`${part}: ${name} ${from} -> ${to}`);
    }
  }
  return { rose, fell };
}

/** The files that git tracks, and new ones that it does not ignore. */
function readFiles(): SizeFile[] {
  const args = ['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout, exitCode } = Bun.spawnSync(args, { cwd: projectRoot });
  if (exitCode !== 0) throw new Error('The sizes are measured in a clone: git ls-files failed.');
  return [...new Set(stdout.toString().split('\0'))]
    .filter((path) => path === 'package.json' || counted.test(path))
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(join(projectRoot, path), 'utf8') }];
      } catch {
        // Deleted, but not yet in the index.
        return [];
      }
    });
}

/** Prints what fell. False if something rose. */
export function checkSizes(print: (text: string) => void): boolean {
  const kept = JSON.parse(readFileSync(sizeFile, 'utf8')) as Sizes;
  const { rose, fell } = compareSizes(kept, measureSizes(readFiles()));
  for (const line of fell) print(`fell: ${line}\n`);
  for (const line of rose) print(`ROSE: ${line}\n`);
  if (rose.length > 0) print('Make it smaller, or run npm run generate -- size and say why.\n');
  else if (fell.length > 0) print('Keep it: npm run generate -- size.\n');
  return rose.length === 0;
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

if (import.meta.main) {
  const sizes = measureSizes(readFiles());
  const parts = Object.entries(sizes).map(([part, figures]) => [part, sorted(figures)] as const);
  writeFileSync(sizeFile, `${JSON.stringify(sorted(Object.fromEntries(parts)), undefined, 2)}\n`);
}
