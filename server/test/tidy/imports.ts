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
  /** Only types are imported, so nothing is loaded. */
  isOfTypes: boolean;
  /** The imported names; undefined for an import that may use all of them. */
  names: readonly string[] | undefined;
}

const statements = [
  /\b(?:import|export)\s(?:[^;'"]*?\sfrom\s*)?['"]([^'"]+)['"]/g,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
];
const workspaceSpecifier = /^@trivium\/([^/]+)(?:\/([\w-]+))?$/;
const runtime = /^(node:|bun$|bun:)/;

/** Finds imports, re-exports and dynamic imports, including those of types. */
export function findImports(file: SourceFile): Import[] {
  const known = cache.get(file) ?? readImports(file);
  cache.set(file, known);
  return known;
}

/** Most rules read the imports of every file. */
const cache = new WeakMap<SourceFile, Import[]>();

function readImports(file: SourceFile): Import[] {
  const found = statements.flatMap((pattern) => [...file.words.matchAll(pattern)]);
  return found
    .filter((match) => /^(import|export)/.test(file.code.slice(match.index)))
    .map((match) => ({
      ...resolveImport(file.path, match[1] ?? ''),
      line: lineOf(file.text, match.index),
      isOfTypes: /^(?:import|export)\s+type\b/.test(match[0]),
      names: namesIn(match[0], file.code),
    }));
}

/**
 * The names between the braces of a statement, as the other file exports them, or those read from
 * a namespace that is used for nothing else.
 */
function namesIn(statement: string, code: string): readonly string[] | undefined {
  const [, namespace] = /^import\s+\*\s+as\s+([\w$]+)\s+from\b/.exec(statement) ?? [];
  if (namespace !== undefined) {
    const escaped = namespace.replaceAll('$', '\\$');
    const uses = [
      ...code.matchAll(new RegExp(`(?<![\\w$.])${escaped}(?![\\w$])(?:\\.([\\w$]+))?`, 'g')),
    ];
    const names = uses.slice(1).map(([, name]) => name);
    return names.every((name) => name !== undefined) ? names : undefined;
  }
  const [, list] = /\{([^}]*)\}\s*from\b/.exec(statement) ?? [];
  const parts = list?.split(',').map((part) => part.trim().replace(/^type\s+|\s+as\s.*$/g, ''));
  return parts?.filter((name) => name !== '');
}

function resolveImport(
  from: string,
  specifier: string,
): Omit<Import, 'line' | 'names' | 'isOfTypes'> {
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(from), specifier);
    return { specifier, kind: 'ours', target };
  }
  const [, workspace, entry = 'index'] = workspaceSpecifier.exec(specifier) ?? [];
  if (workspace !== undefined) {
    return { specifier, kind: 'ours', target: `${workspace}/src/${entry}.ts` };
  }
  if (runtime.test(specifier)) return { specifier, kind: 'runtime', target: specifier };
  const parts = specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1);
  return { specifier, kind: 'package', target: parts.join('/') };
}
