// What a thread loads. Each thread has its own heap, so a package that one of its files imports is
// in memory once more: the schemas of the contract would take 10 MB in each thread of the store.
import { posix } from 'node:path';
import { findImports } from './imports.ts';
import type { SourceFile } from './source.ts';

/** The entry points of threads that every gateway starts, and that need no package. */
const entries = ['server/src/app/store-thread.ts'];

/** The others need the adapters, and so the schemas, but no verbs. */
const otherEntries = [
  'server/src/content/content-thread.ts',
  'server/src/transcription/read-transcript-thread.ts',
  'server/src/uploads/read-length-thread.ts',
];
/** An index loads its whole module; these are of pure code or small. */
const verbs =
  /^server\/src\/(?!negotiation|providers|store)\w+\/index\.ts$|^server\/src\/store\/opening\.ts$/;

const address = /\bnew URL\('([^']+-thread\.ts)', import\.meta\.url\)/g;

/** Lists the threads that begin in another module than the one that names them. */
function checkAddresses(files: SourceFile[]): string[] {
  const moduleOf = (path: string) => path.split('/').slice(0, 3).join('/');
  return files.flatMap(({ path, words }) =>
    [...words.matchAll(address)].flatMap(([, to = '']) => {
      const there = posix.join(posix.dirname(path), to);
      const isOwn = moduleOf(there) === moduleOf(path) || !path.startsWith('server/src/');
      return isOwn ? [] : [`${path} names ${there}, a thread of another module. Take it as a URL.`];
    }),
  );
}

/**
 * Lists the packages and the modules that a thread loads, each with the file that imports it, and
 * threads of other modules that a file names.
 */
export function checkThreads(files: SourceFile[], threads = entries): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const loads = [...threads, ...otherEntries.filter((path) => byPath.has(path))].flatMap(
    (entry) => {
      const found: string[] = [];
      const loaded = new Set([entry]);
      const mayLoadPackages = otherEntries.includes(entry);
      for (const path of loaded) {
        const file = byPath.get(path);
        for (const { kind, target, isOfTypes } of file ? findImports(file) : []) {
          if (isOfTypes) continue;
          const isTooMuch = kind === 'package' ? !mayLoadPackages : verbs.test(target);
          if (isTooMuch) found.push(`${entry} loads ${target}, through ${path}.`);
          else if (kind === 'ours') loaded.add(target);
        }
      }
      return loaded.size > 1 || mayLoadPackages
        ? found
        : [`${entry}: imports nothing. Is it still an entry point?`];
    },
  );
  return [...loads, ...checkAddresses(files)];
}
