// Finds the test files, and selects those at or below the paths on the command line.
import { Glob } from 'bun';
import { projectRoot } from './command.ts';

/** Lists the test files of some folders, relative to the project and in a stable order. */
export function findTestFiles(folders: string[], root = projectRoot): string[] {
  const files = folders.flatMap((folder) => [
    ...new Glob(`${folder}/**/*.test.ts`).scanSync({ cwd: root }),
  ]);
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.includes('node_modules/'))
    .sort();
}

/**
 * The files of one of several parts, such as `2/4`. Parts take about the same time: the slowest file
 * that is left goes to the part with the least to do. Files without a time are fast.
 */
export function filesOfShard(
  files: readonly string[],
  shard: string,
  timings: Readonly<Record<string, number>>,
): string[] {
  const [, part = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(shard) ?? []).map(Number);
  if (part < 1 || part > count) throw new Error(`--shard ${shard}: write it as 1/4, up to 4/4.`);
  const parts = Array.from({ length: count }, () => ({ ms: 0, files: new Set<string>() }));
  const msOf = (file: string) => timings[file] ?? fastFileMs;
  for (const file of files.toSorted((one, other) => msOf(other) - msOf(one))) {
    const least = parts.reduce((one, other) => (other.ms < one.ms ? other : one));
    least.ms += msOf(file);
    least.files.add(file);
  }
  return files.filter((file) => parts[part - 1]?.files.has(file));
}

const fastFileMs = 500;

/** The times that are kept: of slow files that are still there, slowest first. */
export function selectSlowFiles(
  timings: Readonly<Record<string, number>>,
  files: readonly string[],
): Record<string, number> {
  const there = new Set(files);
  const slow = Object.entries(timings).filter(([file, ms]) => there.has(file) && ms >= slowFileMs);
  return Object.fromEntries(slow.toSorted(([, one], [, other]) => other - one));
}

const slowFileMs = 3000;

/** Selects the files at or below the paths, and lists the paths that match none. */
export function selectTestFiles(
  files: string[],
  paths: string[],
): { files: string[]; unmatched: string[] } {
  const wanted = paths.map((path) => path.replace(/^\.\//, '').replace(/\/+$/, ''));
  const isWanted = (file: string, path: string) => file === path || file.startsWith(`${path}/`);
  return {
    files: files.filter((file) => wanted.some((path) => isWanted(file, path))),
    unmatched: wanted.filter((path) => !files.some((file) => isWanted(file, path))),
  };
}
