// Converts zod's issues into issues for callers: every fault with its path and a plain message.
import type { z } from 'zod';
import { closestField } from './closest.ts';
import type { ValidationIssue } from './errors.ts';
import { idOfVendor, providerNames } from './provider-names.ts';
import { maxListedFaults, maxQuotedChars, truncate } from './faults.ts';

/**
 * Lists at most `maxListedFaults`, plus one issue with the number of the rest, because a body full
 * of faults must not produce a response many times its size.
 */
export function issuesOf(error: Pick<z.ZodError, 'issues'>): ValidationIssue[] {
  const mistyped = new Set(error.issues.filter(isWrongType).map(pathOf));
  const listed: ValidationIssue[] = [];
  let unlisted = 0;
  for (const issue of error.issues) {
    if (isSize(issue) && mistyped.has(pathOf(issue))) continue;
    const count = countOf(issue);
    const remaining = isUnlisted(issue) ? 0 : maxListedFaults - listed.length;
    listed.push(...expand(issue, Math.min(remaining, count)));
    unlisted += Math.max(count - remaining, 0);
  }
  return unlisted === 0 ? listed : [...listed, moreFaults(unlisted)];
}

/** An issue with the number of faults that are not listed. */
function moreFaults(count: number): ValidationIssue {
  const message = `There are ${count} more errors that are not listed here.`;
  return { path: '', code: 'too_many_issues', message };
}

type Issue = z.core.$ZodIssue;

/** How many faults an issue reports. */
function countOf(issue: Issue): number {
  if (issue.code === 'unrecognized_keys') return issue.keys.length;
  const unlisted: unknown = issue.code === 'custom' ? issue.params?.['unlisted'] : undefined;
  return typeof unlisted === 'number' ? unlisted : 1;
}

function isUnlisted(issue: Issue): boolean {
  return issue.code === 'custom' && issue.params?.['unlisted'] !== undefined;
}

function pathOf({ path }: Pick<Issue, 'path'>): string {
  return dottedPath(path);
}

/** Builds only as much of a path as is shown. */
function dottedPath(steps: readonly PropertyKey[]): string {
  let path = '';
  for (const [index, step] of steps.entries()) {
    path += index === 0 ? String(step) : `.${String(step)}`;
    if (path.length > maxQuotedChars) break;
  }
  return truncate(path);
}

/** Zod checks the length of any value that has one: a string instead of a list is "too long". */
function isSize(issue: Issue): boolean {
  return issue.code === 'too_small' || issue.code === 'too_big';
}

function isWrongType(issue: Issue): boolean {
  return issue.code === 'invalid_type';
}

/** The first `count` faults of an issue. Each unknown key is a fault with its own path. */
function expand(issue: Issue, count: number): ValidationIssue[] {
  if (count <= 0) return [];
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: pathOf(issue), code: codeOf(issue), message: messageOf(issue) }];
  }
  return issue.keys.slice(0, count).map((key) => ({
    path: dottedPath([...issue.path, key]),
    code: issue.code,
    message: unknownKey(key, issue),
  }));
}

/** `known` is there if the value was parsed with `addKnownFields`. */
function unknownKey(key: string, { path, known = [] }: Issue & { known?: string[] }): string {
  const vendor = path.at(-1) === 'provider_options' ? idOfVendor(key) : undefined;
  if (vendor !== undefined) return `Must be an id; ${providerNames[vendor]} is ${vendor}.`;
  const meant = closestField(key, known);
  if (meant !== undefined) return `Unknown field; did you mean ${meant}?`;
  return 'Unknown field; remove it or check its spelling.';
}

function codeOf(issue: Issue): string {
  if (issue.code !== 'custom') return issue.code;
  const own: unknown = issue.params?.['code'];
  return typeof own === 'string' ? own : issue.code;
}

function messageOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue);
    case 'too_small':
      return sizeMessage(issue.origin, issue.minimum, 'at least');
    case 'too_big':
      return sizeMessage(issue.origin, issue.maximum, 'at most');
    case 'invalid_value':
      return isOwnMessage(issue) ? issue.message : choiceMessage(issue.values.map(String));
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

/** Zod's own message begins with this; a schema's message replaces it. */
function isOwnMessage({ message }: Pick<Issue, 'message'>): boolean {
  return !message.startsWith('Invalid ');
}

function choiceMessage(values: readonly string[]): string {
  return `Must be ${values.length === 1 ? '' : 'one of: '}${values.join(', ')}.`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The received type is only in zod's message; without it, our message is just shorter. */
function typeMessage(issue: z.core.$ZodIssueInvalidType): string {
  const wanted = typeNames[issue.expected] ?? issue.expected;
  const received = /received (\w+)$/.exec(issue.message)?.[1];
  if (received === 'undefined') return `Required, and must be ${wanted}.`;
  if (received === undefined || issue.expected === 'int') return `Must be ${wanted}.`;
  return `Must be ${wanted}, not ${typeNames[received] ?? received}.`;
}

function sizeMessage(
  origin: string,
  limit: number | bigint,
  bound: 'at least' | 'at most',
): string {
  const unit = { string: 'character', array: 'item' }[origin];
  if (unit === undefined) return `Must be ${bound} ${limit}.`;
  if (bound === 'at least' && limit === 1) return 'Must not be empty.';
  return `Must have ${bound} ${limit} ${unit}${limit === 1 ? '' : 's'}.`;
}
