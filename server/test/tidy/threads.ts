// What a thread loads. Each thread has a heap of its own, so a package that one of its files imports
// is in memory once more: the schemas of the contract would take 10 MB in each thread of the store.
import { findImports } from './imports.ts';
import type { SourceFile } from './source.ts';

/** The entry points of threads that every gateway starts, and that need no package. */
const entries = ['server/src/app/store-thread.ts'];

/** Lists the packages that a thread loads, each with the file that imports it. */
export function checkThreads(files: SourceFile[], threads = entries): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return threads.flatMap((entry) => {
    const found: string[] = [];
    const loaded = new Set([entry]);
    for (const path of loaded) {
      const file = byPath.get(path);
      for (const { kind, target, isOfTypes } of file ? findImports(file) : []) {
        if (isOfTypes) continue;
        if (kind === 'ours') loaded.add(target);
        else if (kind === 'package') found.push(`${entry} loads ${target}, through ${path}.`);
      }
    }
    return loaded.size > 1 ? found : [`${entry}: imports nothing. Is it still an entry point?`];
  });
}
