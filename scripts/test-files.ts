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
