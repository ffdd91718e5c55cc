// The project's source files, read once for all rules.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { type Masked, maskSource } from './mask.ts';

export const projectRoot = join(import.meta.dir, '..', '..', '..');
const folders = [
  'contract',
  'shared',
  'server',
  'sandbox',
  'sdk',
  'cli',
  'dashboard',
  'docs',
  'e2e',
  'bench',
  'scripts',
];

export interface SourceFile extends Masked {
  /** Relative to the project, with forward slashes. */
  path: string;
  text: string;
}

export function readProject(root = projectRoot, within = folders): SourceFile[] {
  const paths = within.flatMap((folder) => [
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

/** `path:line` of a character, as editors open it. */
export function placeOf(file: SourceFile, at: number): string {
  return `${file.path}:${lineOf(file.text, at)}`;
}

export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
