// The threads of the gateway. A bundle knows only the files it is given, so each thread becomes a
// file of its own beside the program, and the code that starts it names that file.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Glob } from 'bun';
import type { BunPlugin } from 'bun';
import { projectRoot } from '../command.ts';

/** The store is given the address of its thread. */
const startsThread = /\bnew Worker\((?!program\.href)|-thread\.ts', import\.meta\.url\)/;
const threadAddress = /\bnew URL\('([^']+)', import\.meta\.url\)/g;

export interface Threads {
  /** The files in which threads begin. */
  entries: readonly string[];
  plugin: BunPlugin;
}

export function findThreads(root = projectRoot): Threads {
  const starters = [...new Glob('{server,sandbox}/src/**/*.ts').scanSync({ cwd: root })]
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => ({ path: join(root, path), text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => startsThread.test(text));
  const entries = starters.flatMap(({ path, text }) => {
    const addresses = [...text.matchAll(threadAddress)].map(([, to = '']) => to);
    if (addresses.length > 0) return addresses.map((to) => join(dirname(path), to));
    throw new Error(`${path} starts a thread that is not named by new URL('…', import.meta.url).`);
  });
  const names = new Set(entries.map((entry) => basename(entry)));
  if (names.size < entries.length) throw new Error('Two threads have files of the same name.');
  const contents = new Map(starters.map(({ path, text }) => [path, relink(text)]));
  return { entries, plugin: plugin(contents) };
}

function relink(text: string): string {
  return text.replaceAll(
    threadAddress,
    (_, to: string) => `new URL('./${basename(to, '.ts')}.js', import.meta.url)`,
  );
}

function plugin(contents: ReadonlyMap<string, string>): BunPlugin {
  const alternatives = [...contents.keys()].map((path) => RegExp.escape(path)).join('|');
  return {
    name: 'threads',
    setup: (build) => {
      build.onLoad({ filter: new RegExp(`^(?:${alternatives})$`) }, ({ path }) => ({
        loader: 'ts',
        contents: contents.get(path) ?? '',
      }));
    },
  };
}
