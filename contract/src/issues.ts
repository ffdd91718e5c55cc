// Turns what zod found into what a caller reads: every fault, its place, plain words.
import type { z } from 'zod';
import type { ValidationIssue } from './errors.ts';

/** A body of nothing but faults must not become an answer many times its size. */
export const max_reported_issues = 1000;

export function issuesOf(error: Pick<z.ZodError, 'issues'>): ValidationIssue[] {
  const read = error.issues.slice(0, max_reported_issues);
  const mistyped = new Set(read.filter(isWrongType).map(pathOf));
  const told = read
    .filter((issue) => !isSize(issue) || !mistyped.has(pathOf(issue)))
    .flatMap(spread);
  if (read.length === error.issues.length && told.length <= max_reported_issues) return told;
  const message = 'There are more faults than are listed here.';
  return [...told.slice(0, max_reported_issues), { path: '', code: 'too_many_issues', message }];
}

type Issue = z.core.$ZodIssue;

function pathOf(issue: Issue): string {
  return issue.path.map(String).join('.');
}

/** Zod measures whatever has a length: a string in place of a list would also be "too long". */
function isSize(issue: Issue): boolean {
  return issue.code === 'too_small' || issue.code === 'too_big';
}

function isWrongType(issue: Issue): boolean {
  return issue.code === 'invalid_type';
}

/** An unknown key is a fault of its own, at its own place. */
function spread(issue: Issue): ValidationIssue[] {
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: pathOf(issue), code: codeOf(issue), message: say(issue) }];
  }
  const message = 'This field is not known here; remove it or check its spelling.';
  return issue.keys.map((key) => ({
    path: [...issue.path, key].map(String).join('.'),
    code: issue.code,
    message,
  }));
}

function codeOf(issue: Issue): string {
  if (issue.code !== 'custom') return issue.code;
  const own: unknown = issue.params?.['code'];
  return typeof own === 'string' ? own : issue.code;
}

function say(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return sayType(issue);
    case 'too_small':
      return saySize(issue.origin, issue.minimum, 'at least');
    case 'too_big':
      return saySize(issue.origin, issue.maximum, 'at most');
    case 'invalid_value':
      return sayChoice(issue.values.map(String));
    case 'invalid_format':
    case 'custom':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return issue.message;
  }
}

function sayChoice(values: readonly string[]): string {
  return `Must be ${values.length === 1 ? '' : 'one of: '}${values.join(', ')}.`;
}

const type_words: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** What was received stands only in zod's own sentence; without it ours is merely shorter. */
function sayType(issue: z.core.$ZodIssueInvalidType): string {
  const wanted = type_words[issue.expected] ?? issue.expected;
  const received = /received (\w+)$/.exec(issue.message)?.[1];
  if (received === 'undefined') return `Required, and must be ${wanted}.`;
  if (received === undefined || issue.expected === 'int') return `Must be ${wanted}.`;
  return `Must be ${wanted}, not ${type_words[received] ?? received}.`;
}

function saySize(origin: string, limit: number | bigint, bound: 'at least' | 'at most'): string {
  const unit = { string: 'character', array: 'item' }[origin];
  if (unit === undefined) return `Must be ${bound} ${limit}.`;
  if (bound === 'at least' && limit === 1) return 'Must not be empty.';
  return `Must have ${bound} ${limit} ${unit}${limit === 1 ? '' : 's'}.`;
}
