// The maximum length of files, functions and lines, and the exceptions.
import { findFunctions } from './functions.ts';
import { lineOf, type SourceFile } from './source.ts';

const maxFileLines = 300;
const maxFunctionLines = 80;
const maxColumns = 100;

// The length of pure data does not matter.
const dataFolders = ['sandbox/src/corpus/', 'e2e/requirements/', 'server/src/store/migrations/'];

export interface Exception {
  path: string;
  rule: 'file' | 'function' | 'column';
  /** Why splitting it would make it worse. */
  reason: string;
}

const knownExceptions: Exception[] = [];

interface Excess {
  path: string;
  rule: Exception['rule'];
  message: string;
}

/** Lists what is too long, and exceptions that are no longer needed. */
export function checkLengths(files: SourceFile[], exceptions = knownExceptions): string[] {
  const found = files
    .filter((file) => !dataFolders.some((folder) => file.path.startsWith(folder)))
    .flatMap((file) => [...fileExcess(file), ...functionExcess(file), ...columnExcess(file)]);
  const covers = (exception: Exception, excess: Excess) =>
    exception.path === excess.path && exception.rule === excess.rule;
  const idle = exceptions.filter((exception) => !found.some((excess) => covers(exception, excess)));
  return [
    ...found
      .filter((excess) => !exceptions.some((exception) => covers(exception, excess)))
      .map((excess) => excess.message),
    ...idle.map(
      ({ path, rule }) => `${path}: no ${rule} is too long any more; remove its exception.`,
    ),
  ];
}

function fileExcess({ path, text }: SourceFile): Excess[] {
  const lines = text.trimEnd().split('\n').length;
  if (lines <= maxFileLines) return [];
  const advice = 'Move one idea into a file of its own, named by that idea.';
  const message = `${path}:1: ${lines} lines, at most ${maxFileLines}. ${advice}`;
  return [{ path, rule: 'file', message }];
}

function functionExcess({ path, code }: SourceFile): Excess[] {
  const advice = `at most ${maxFunctionLines}. Keep the branches here and move leaves below.`;
  return findFunctions(code)
    .filter(({ lines }) => lines > maxFunctionLines)
    .map(({ line, lines }) => ({
      path,
      rule: 'function',
      message: `${path}:${line}: a function of ${lines} lines, ${advice}`,
    }));
}

function columnExcess({ path, text }: SourceFile): Excess[] {
  const long = [...text.matchAll(/^.+$/gm)].filter(([line]) => [...line].length > maxColumns);
  const advice = `at most ${maxColumns}. Break the sentence or the string.`;
  return long.map(({ 0: line, index }) => ({
    path,
    rule: 'column',
    message: `${path}:${lineOf(text, index)}: ${[...line].length} columns, ${advice}`,
  }));
}
