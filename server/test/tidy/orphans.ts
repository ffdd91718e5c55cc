// Finds files nobody needs: neither imported, nor started, nor a test.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { findImports } from './imports.ts';
import { isTest, PROJECT_ROOT, type SourceFile } from './source.ts';

const PACKAGES = ['.', 'contract', 'server', 'sandbox', 'sdk', 'dashboard'];
const FILE_IN_PACKAGE = /[\w./-]+\.(?:tsx?|mjs)\b/g;
const FILE_IN_STRING = /['"`]([\w./-]+\.(?:tsx?|mjs))['"`]/g;

/** Lists the orphans; `started` are the files that a package.json names. */
export function checkOrphans(files: SourceFile[], started = readStartedFiles()): string[] {
  const needed = new Set([...started, ...files.flatMap(mentionedBy)]);
  return files
    .filter(({ path }) => !isTest(path) && !path.endsWith('.d.ts') && !needed.has(path))
    .map(({ path }) => `${path}:1: nobody imports or starts it. Use it or remove it.`);
}

// A program that is started as a process of its own is named in a string, by either path.
function mentionedBy(file: SourceFile): string[] {
  const folder = posix.dirname(file.path);
  const imported = findImports(file).map((found) => found.target);
  const named = [...file.words.matchAll(FILE_IN_STRING)].flatMap(([, name = '']) => [
    posix.join(folder, name),
    posix.normalize(name),
  ]);
  return [...imported, ...named].filter((path) => path !== file.path);
}

function readStartedFiles(): string[] {
  return PACKAGES.flatMap((folder) => {
    const path = join(PROJECT_ROOT, folder, 'package.json');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return [...text.matchAll(FILE_IN_PACKAGE)].map(([name]) => posix.join(folder, name));
  });
}
