// How long a file, a function and a line may be, and who is excused.
import { findFunctions } from './functions.ts';
import { lineOf, type SourceFile } from './source.ts';

const MAX_FILE_LINES = 250;
const MAX_FUNCTION_LINES = 70;
const MAX_COLUMNS = 100;

// Pure data reads the same at any length.
const DATA_FOLDERS = [
  'sandbox/src/corpus/',
  'e2e/requirements/',
  'server/fixtures/',
  'server/src/store/migrations/',
];

export interface Exception {
  path: string;
  rule: 'file' | 'function' | 'column';
  /** Why splitting it would make it worse. */
  reason: string;
}

const EXCEPTIONS: Exception[] = [];

interface Excess {
  path: string;
  rule: Exception['rule'];
  message: string;
}

/** Lists what is too long, and the exceptions nobody needs any more. */
export function checkLengths(files: SourceFile[], exceptions = EXCEPTIONS): string[] {
  const found = files
    .filter((file) => !DATA_FOLDERS.some((folder) => file.path.startsWith(folder)))
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
  if (lines <= MAX_FILE_LINES) return [];
  const advice = 'Move one idea into a file of its own, named by that idea.';
  const message = `${path}:1: ${lines} lines, at most ${MAX_FILE_LINES}. ${advice}`;
  return [{ path, rule: 'file', message }];
}

function functionExcess({ path, code }: SourceFile): Excess[] {
  const advice = `at most ${MAX_FUNCTION_LINES}. Keep the branches here and move leaves below.`;
  return findFunctions(code)
    .filter(({ lines }) => lines > MAX_FUNCTION_LINES)
    .map(({ line, lines }) => ({
      path,
      rule: 'function',
      message: `${path}:${line}: a function of ${lines} lines, ${advice}`,
    }));
}

function columnExcess({ path, text }: SourceFile): Excess[] {
  const long = [...text.matchAll(/^.+$/gm)].filter(([line]) => [...line].length > MAX_COLUMNS);
  const advice = `at most ${MAX_COLUMNS}. Break the sentence or the string.`;
  return long.map(({ 0: line, index }) => ({
    path,
    rule: 'column',
    message: `${path}:${lineOf(text, index)}: ${[...line].length} columns, ${advice}`,
  }));
}
