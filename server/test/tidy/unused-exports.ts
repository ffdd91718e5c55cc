// Finds exports of the server that no other file uses: dead code, or details that should stay in
// their file.
import { findImports } from './imports.ts';
import { isTest, placeOf, type SourceFile } from './source.ts';

const checked = /^server\/src\//;
const testFolder = /^(?:server\/test|e2e)\//;
const declaration =
  /^export\s+(?:async\s+)?(?:function\*?|const|let|class|interface|type)\s+([\w$]+)/gm;

interface Users {
  /** By `path name`, or `path *` for an import that may use every name. */
  sources: Set<string>;
  tests: Set<string>;
}

/**
 * Lists the unused exports. A test is not enough to keep one, unless the file itself uses it too:
 * then it is a detail that is tested alone.
 */
export function checkUnusedExports(files: SourceFile[]): string[] {
  const { sources, tests } = findUsers(files);
  return files
    .filter(({ path }) => checked.test(path) && !isTest(path))
    .flatMap((file) =>
      [...file.code.matchAll(declaration)].flatMap(({ 1: name = '', index }) => {
        if (isIn(sources, file.path, name)) return [];
        if (isIn(tests, file.path, name)) {
          if (isUsedInside(file.code, name)) return [];
          return [`${placeOf(file, index)}: only tests use ${name}. Remove it with its tests.`];
        }
        return [`${placeOf(file, index)}: no other file uses ${name}. Do not export it.`];
      }),
    );
}

function findUsers(files: SourceFile[]): Users {
  const users: Users = { sources: new Set(), tests: new Set() };
  for (const file of files) {
    const set = isTest(file.path) || testFolder.test(file.path) ? users.tests : users.sources;
    for (const { target, names = ['*'] } of findImports(file)) {
      for (const name of names) set.add(`${target} ${name}`);
    }
  }
  return users;
}

function isIn(users: Set<string>, path: string, name: string): boolean {
  return users.has(`${path} ${name}`) || users.has(`${path} *`);
}

function isUsedInside(code: string, name: string): boolean {
  return code.split(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`)).length > 2;
}
