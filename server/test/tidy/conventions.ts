// The conventions of every file that the linter cannot check: its name, its first line, its exports.
import { placeOf, type SourceFile } from './source.ts';
import { phraseAdvice, unclearPhrase } from './wording.ts';

const vagueName = /(?:^|[-/])(?:utils?|helpers?|misc|managers?)(?=[-./]|$)/;
const firstLine = /^(?:#![^\n]*\n)?(?:\/\/ ?\S|\/\*)/;
const workspaceIndex = /^[a-z]+\/src\/index\.ts$/;

const inComments = [
  {
    pattern: /\b(?:eslint|oxlint)-disable|\b(?:oxfmt|prettier)-ignore/g,
    advice: 'Fix what the tool reports instead of silencing it.',
  },
  { pattern: unclearPhrase, advice: phraseAdvice },
];

const inCode: { pattern: RegExp; advice: string; except?: string[]; only?: RegExp }[] = [
  {
    pattern: /\.(?:skip|only|todo)(?:If)?\s*[.(]/g,
    advice: 'A skipped test goes unnoticed: fix it or remove it.',
    // Leaves out what needs another tool, and the end of a test run says so.
    except: ['e2e/leave-out.ts'],
  },
  {
    pattern: /\bclass\s+\w+(?!\w|\s+extends\s+\w*Error\b)/g,
    advice: 'Only errors are classes: use a function that returns an object.',
    // React has error boundaries only as classes.
    except: ['dashboard/src/shell/boundary.tsx'],
  },
  {
    // Its argument may contain two levels of parentheses.
    pattern: /\bJSON\.parse\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)*\s*as\b/g,
    advice: 'What was stored may be of another version: parse it with a schema, as readJson does.',
    only: /^server\/src\/.*(?<!\.test)\.ts$/,
  },
  {
    pattern: /\bnew (?:Sqlite|Database)\(/g,
    advice: 'The gateway may be writing: open its store with openStore, which waits for its turn.',
    only: /^e2e\/.*\.test\.ts$/,
  },
];

/** Lists every violation. */
export function checkConventions(files: SourceFile[]): string[] {
  return files.flatMap((file) => [
    ...checkName(file),
    ...checkFirstLine(file),
    ...checkBarrel(file),
    ...inComments.flatMap((rule) => findAll(file, file.comments, rule)),
    ...inCode.flatMap((rule) =>
      file.path.endsWith('.d.ts') ||
      rule.except?.includes(file.path) === true ||
      rule.only?.test(file.path) === false
        ? []
        : findAll(file, file.code, rule),
    ),
  ]);
}

function checkName({ path }: SourceFile): string[] {
  if (!vagueName.test(path)) return [];
  return [`${path}:1: the name is vague. Name the file by the one thing it does.`];
}

function checkFirstLine({ path, text }: SourceFile): string[] {
  if (firstLine.test(text)) return [];
  return [`${path}:1: begin with a comment that says what the file is and why it exists.`];
}

function checkBarrel(file: SourceFile): string[] {
  if (workspaceIndex.test(file.path)) return [];
  const advice = "Only a workspace's index re-exports: import from the file that declares a name.";
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
