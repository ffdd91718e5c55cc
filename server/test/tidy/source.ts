// The project's own source files, read once for all rules of tidiness.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { type Masked, maskSource } from './mask.ts';

export const PROJECT_ROOT = join(import.meta.dir, '..', '..', '..');
const FOLDERS = ['contract', 'server', 'sandbox', 'sdk', 'dashboard', 'e2e', 'bench', 'scripts'];

export interface SourceFile extends Masked {
  /** Relative to the project, with forward slashes. */
  path: string;
  text: string;
}

/** Reads every source file of the project that is there. */
export function readProject(root = PROJECT_ROOT): SourceFile[] {
  const paths = FOLDERS.flatMap((folder) => [
    ...new Glob(`${folder}/**/*.{ts,tsx,mjs}`).scanSync({ cwd: root }),
  ]);
  return paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .sort()
    .map((path) => makeSource(path, readFileSync(join(root, path), 'utf8')));
}

export function makeSource(path: string, text: string): SourceFile {
  return { path, text, ...maskSource(text) };
}

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

/** Says where in a file a character is, the way editors open it. */
export function placeOf(file: SourceFile, at: number): string {
  return `${file.path}:${lineOf(file.text, at)}`;
}

export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
