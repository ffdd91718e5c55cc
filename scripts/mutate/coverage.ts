// Which blocks of the server each test enters, and how long it takes. This is measured once, and again
// when the test or a file that it loads changes.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findImports } from '../../server/test/tidy/imports.ts';
import { isTest, projectRoot, type SourceFile } from '../../server/test/tidy/source.ts';

export interface Measured {
  ms: number;
  passes: boolean;
  blocks: string[];
}

export type Coverage = ReadonlyMap<string, Measured>;

/** They start whole programs, measure time, or read sources. */
const notAsked = /^e2e|^bench|^scripts|new-engine|growth|tidy|dependencies|simulation\/world/;
const kept = join(projectRoot, 'node_modules/.cache/mutate/coverage.jsonl');

/** Calls `measure` for tests that load one of the files and are not known. */
export async function readCoverage(
  files: readonly SourceFile[],
  changed: ReadonlySet<string>,
  measure: (tests: string[], add: (test: string, found: Measured) => void) => Promise<void>,
): Promise<Coverage> {
  mkdirSync(dirname(kept), { recursive: true });
  const lines = existsSync(kept) ? readFileSync(kept, 'utf8').trim().split('\n') : [];
  const known = new Map(
    lines.filter(Boolean).map((line) => JSON.parse(line) as [string, Measured & { hash: string }]),
  );
  const reach = makeReach(files);
  const tests = files
    .filter(({ path }) => isTest(path) && !notAsked.test(path))
    .map(({ path }) => ({ path, ...reach(path) }))
    .filter(({ reached }) => reached.some((path) => changed.has(path)));
  const hashes = new Map(tests.map(({ path, hash }) => [path, hash]));
  const isKnown = (test: string) => known.get(test)?.hash === hashes.get(test);
  await measure(
    [...hashes.keys()].filter((test) => !isKnown(test)),
    (test, found) => {
      const covered = { hash: hashes.get(test) ?? '', ...found };
      known.set(test, covered);
      appendFileSync(kept, `${JSON.stringify([test, covered])}\n`);
    },
  );
  return new Map([...known].filter(([test]) => isKnown(test)));
}

/** All that a file loads, itself included, and a hash of it. */
export function makeReach(files: readonly SourceFile[]) {
  const paths = new Set(files.map(({ path }) => path));
  const byPath = new Map(
    files.map((file) => {
      const targets = findImports(file).flatMap(({ target }) => (paths.has(target) ? target : []));
      return [file.path, { hash: Bun.hash(file.text).toString(36), targets }] as const;
    }),
  );
  return (from: string) => {
    const reached = new Set([from]);
    // A set lists what is added while it is read.
    for (const path of reached) byPath.get(path)?.targets.forEach((target) => reached.add(target));
    const hashes = [...reached].map((path) => byPath.get(path)?.hash).join();
    return { reached: [...reached], hash: Bun.hash(hashes).toString(36) };
  };
}
