// Reads every regular expression out of the project's source, with its place.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expressionsIn, maskSource } from '../tidy/mask.ts';

export interface Expression {
  /** File and line. */
  place: string;
  source: string;
  flags: string;
}

const root = join(import.meta.dir, '../../..');

/** Builds expressions from the operator's credentials; its own test grows them. */
const madeAtRunTime = ['server/src/upstream/redact.ts'];

/** Expressions built at run time cannot be read here, so no other file may build any. */
export function projectExpressions(folders: readonly string[]): Expression[] {
  return folders.flatMap((folder) =>
    sourceFiles(join(root, folder)).flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const path = relative(root, file);
      if (/\bRegExp\(/.test(maskSource(text).code) && !madeAtRunTime.includes(path)) {
        throw new Error(`${path} builds an expression`);
      }
      return expressionsIn(text).map(({ at, text: written }) => {
        const line = text.slice(0, at).split('\n').length;
        const end = written.lastIndexOf('/');
        return {
          place: `${path}:${line}`,
          source: written.slice(1, end),
          flags: written.slice(end + 1),
        };
      });
    }),
  );
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|d)\.ts$/.test(name))
    .map((name) => join(folder, name));
}
