// The small habits every file keeps: a name, a first line, exports, and nothing left for later.
import { posix } from 'node:path';
import { placeOf, type SourceFile } from './source.ts';

const VAGUE_NAME = /(?:^|[-/])(?:utils?|helpers?|misc|managers?)(?=[-./]|$)/;
const FILE_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test|\.d)?\.(?:tsx?|mjs)$/;
const FIRST_LINE = /^(?:#![^\n]*\n)?(?:\/\/ ?\S|\/\*)/;
const WORKSPACE_INDEX = /^[a-z]+\/src\/index\.ts$/;

const IN_COMMENTS = [
  {
    pattern: /\b(?:TODO|FIXME|XXX)\b/g,
    advice: 'Do it now, or write it where plans are kept.',
  },
  {
    pattern: /@ts-(?:ignore|expect-error|nocheck)|\b(?:eslint|oxlint)-disable|\bprettier-ignore/g,
    advice: 'Mend what the tool complains about instead of silencing it.',
  },
];

const IN_CODE = [
  {
    pattern: /\bexport\s+default\b/g,
    advice: 'Export by name, so that everyone calls it the same.',
  },
  {
    pattern: /\.(?:skip|only|todo)(?:If)?\s*[.(]/g,
    advice: 'Nobody sees a skipped test: mend it or remove it.',
    // It needs another language, and the end of a test run says so where that is missing.
    except: 'e2e/clients/python.test.ts',
  },
  {
    pattern: /\bclass\s+\w+(?!\w|\s+extends\s+\w*Error\b)/g,
    advice: 'Only errors are classes: use a function that answers an object.',
  },
];

/** Lists every breach of these habits. */
export function checkManners(files: SourceFile[]): string[] {
  return files.flatMap((file) => [
    ...checkName(file),
    ...checkFirstLine(file),
    ...checkBarrel(file),
    ...IN_COMMENTS.flatMap((rule) => findAll(file, file.comments, rule)),
    ...IN_CODE.flatMap((rule) =>
      file.path.endsWith('.d.ts') || file.path === rule.except
        ? []
        : findAll(file, file.code, rule),
    ),
  ]);
}

function checkName({ path }: SourceFile): string[] {
  const faults: string[] = [];
  if (VAGUE_NAME.test(path)) {
    faults.push(`${path}:1: the name says nothing. Name the file by the one thing it does.`);
  }
  if (!FILE_NAME.test(posix.basename(path))) {
    faults.push(`${path}:1: file names are kebab-case, such as page-key.ts or page-key.test.ts.`);
  }
  return faults;
}

function checkFirstLine({ path, text }: SourceFile): string[] {
  if (FIRST_LINE.test(text)) return [];
  return [`${path}:1: begin with a comment that says what the file is and why it exists.`];
}

function checkBarrel(file: SourceFile): string[] {
  if (WORKSPACE_INDEX.test(file.path)) return [];
  const advice = "Only a workspace's index passes modules on: import from where a thing is made.";
  return findAll(file, file.code, { pattern: /\bexport\s+\*/g, advice });
}

function findAll(
  file: SourceFile,
  text: string,
  { pattern, advice }: { pattern: RegExp; advice: string },
): string[] {
  return [...text.matchAll(pattern)].map(
    (match) => `${placeOf(file, match.index)}: "${match[0].trim()}". ${advice}`,
  );
}
