// Turns what zod found into what a caller reads: every fault, its place, plain words.
import type { z } from 'zod';
import type { ValidationIssue } from './errors.ts';
import { maxListedFaults, maxQuotedChars, quoted } from './faults.ts';

/**
 * At most `maxListedFaults` of them, and one more that says how many there are besides. A body of
 * nothing but faults must not become an answer many times its size.
 */
export function issuesOf(error: Pick<z.ZodError, 'issues'>): ValidationIssue[] {
  const mistyped = new Set(error.issues.filter(isWrongType).map(pathOf));
  const listed: ValidationIssue[] = [];
  let unlisted = 0;
  for (const issue of error.issues) {
    if (isSize(issue) && mistyped.has(pathOf(issue))) continue;
    const count = countOf(issue);
    const room = isUnlisted(issue) ? 0 : maxListedFaults - listed.length;
    listed.push(...spread(issue, Math.min(room, count)));
    unlisted += Math.max(count - room, 0);
  }
  return unlisted === 0 ? listed : [...listed, moreFaults(unlisted)];
}

/** Says how many faults there are beside those that are listed. */
export function moreFaults(count: number): ValidationIssue {
  const message = `There are ${count} more faults than are listed here.`;
  return { path: '', code: 'too_many_issues', message };
}

type Issue = z.core.$ZodIssue;

/** How many faults an issue stands for. */
function countOf(issue: Issue): number {
  if (issue.code === 'unrecognized_keys') return issue.keys.length;
  const unlisted: unknown = issue.code === 'custom' ? issue.params?.['unlisted'] : undefined;
  return typeof unlisted === 'number' ? unlisted : 1;
}

function isUnlisted(issue: Issue): boolean {
  return issue.code === 'custom' && issue.params?.['unlisted'] !== undefined;
}

function pathOf({ path }: Pick<Issue, 'path'>): string {
  return dotted(path);
}

/** Only as much of a path is put together as is shown. */
function dotted(steps: readonly PropertyKey[]): string {
  let path = '';
  for (const [index, step] of steps.entries()) {
    path += index === 0 ? String(step) : `.${String(step)}`;
    if (path.length > maxQuotedChars) break;
  }
  return quoted(path);
}

/** Zod measures whatever has a length: a string in place of a list would also be "too long". */
function isSize(issue: Issue): boolean {
  return issue.code === 'too_small' || issue.code === 'too_big';
}

function isWrongType(issue: Issue): boolean {
  return issue.code === 'invalid_type';
}

/** The first `count` faults of an issue: an unknown key is one of its own, at its own place. */
function spread(issue: Issue, count: number): ValidationIssue[] {
  if (count <= 0) return [];
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: pathOf(issue), code: codeOf(issue), message: say(issue) }];
  }
  const message = 'This field is not known here; remove it or check its spelling.';
  return issue.keys.slice(0, count).map((key) => ({
    path: dotted([...issue.path, key]),
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
