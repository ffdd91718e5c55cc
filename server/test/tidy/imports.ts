// Which modules a file imports, and which file of the project each of them is.
import { posix } from 'node:path';
import { lineOf, type SourceFile } from './source.ts';

export interface Import {
  line: number;
  /** As written between the quotes. */
  specifier: string;
  /** A path in the project, a runtime module (`node:`, `bun`), or an npm package. */
  kind: 'ours' | 'runtime' | 'package';
  /** The path for our own modules, the package's name for others. */
  target: string;
}

const STATEMENTS = [
  /\b(?:import|export)\s(?:[^;'"]*?\sfrom\s*)?['"]([^'"]+)['"]/g,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
];
const WORKSPACE = /^@trivium\/([^/]+)(?:\/(\w+))?$/;
const RUNTIME = /^(node:|bun$|bun:)/;

/** Finds imports, re-exports and dynamic imports, of types too: a type is knowledge as well. */
export function findImports(file: SourceFile): Import[] {
  const found = STATEMENTS.flatMap((pattern) => [...file.words.matchAll(pattern)]);
  return found
    .filter((match) => /^(import|export)/.test(file.code.slice(match.index)))
    .map((match) => resolveImport(file.path, match[1] ?? '', lineOf(file.text, match.index)));
}

function resolveImport(from: string, specifier: string, line: number): Import {
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(from), specifier);
    return { line, specifier, kind: 'ours', target };
  }
  const [, workspace, entry = 'index'] = WORKSPACE.exec(specifier) ?? [];
  if (workspace !== undefined) {
    return { line, specifier, kind: 'ours', target: `${workspace}/src/${entry}.ts` };
  }
  if (RUNTIME.test(specifier)) return { line, specifier, kind: 'runtime', target: specifier };
  const parts = specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1);
  return { line, specifier, kind: 'package', target: parts.join('/') };
}
