// Finds files that are neither imported, nor started, nor a test.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { findImports } from './imports.ts';
import { isTest, projectRoot, type SourceFile } from './source.ts';

const packages = ['.', ...manifest.workspaces];
const fileInPackage = /[\w./-]+\.(?:tsx?|mjs)\b/g;
const fileInString = /['"`]([\w./-]+\.(?:tsx?|mjs))['"`]/g;

/** Lists the unused files; `started` are the files that a package.json names. */
export function checkUnusedFiles(files: SourceFile[], started = readStartedFiles()): string[] {
  const needed = new Set([...started, ...files.flatMap(mentionedBy)]);
  return files
    .filter(({ path }) => !isTest(path) && !path.endsWith('.d.ts') && !needed.has(path))
    .map(({ path }) => `${path}:1: no file imports or starts it. Use it or remove it.`);
}

// A program that runs as its own process is named in a string, by either path.
function mentionedBy(file: SourceFile): string[] {
  const folder = posix.dirname(file.path);
  const imported = findImports(file).map((found) => found.target);
  const named = [...file.words.matchAll(fileInString)].flatMap(([, name = '']) => [
    posix.join(folder, name),
    posix.normalize(name),
  ]);
  return [...imported, ...named].filter((path) => path !== file.path);
}

function readStartedFiles(): string[] {
  return packages.flatMap((folder) => {
    const path = join(projectRoot, folder, 'package.json');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return [...text.matchAll(fileInPackage)].map(([name]) => posix.join(folder, name));
  });
}
