// Finds import cycles, imports of types included: files in a cycle can only be read together.
import { findImports } from './imports.ts';
import { isTest, type SourceFile } from './source.ts';

/** Lists each cycle once, as the path through its files. */
export function checkCycles(files: SourceFile[]): string[] {
  const sources = files.filter(({ path }) => !isTest(path));
  const known = new Set(sources.map(({ path }) => path));
  const imports = new Map(
    sources.map((file) => [
      file.path,
      findImports(file)
        .map(({ target }) => target)
        .filter((target) => known.has(target)),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at !== -1) {
      cycles.push(
        `${[...trail.slice(at), path].join(' -> ')}. Move what they share to a third file.`,
      );
      return;
    }
    if (done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of known) visit(path, []);
  return cycles;
}
