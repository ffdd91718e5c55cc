// Converts a vendor's own warnings in an answer to warnings of the gateway. Vendors use many
// formats, so whatever cannot be read is skipped and does not affect the answer.
import type { ProviderId, Warning } from '@trivium/contract';
import { valueIn } from './answer-items.ts';
import { isObject } from './speech-words.ts';

/** Where a vendor's answers contain its warnings, and how it names our parameters. */
export interface VendorWarnings {
  at: readonly (readonly string[])[];
  /** Our parameter for the vendor's field, wherever a line names it. */
  params: Readonly<Record<string, string>>;
  /**
   * The same for fields that are also ordinary words, matched by the beginning of a JSON pointer.
   */
  paths?: Readonly<Record<string, string>>;
  /** Lines that another warning already covers. */
  except?: RegExp;
}

/** A longer list is cut off. */
const maxWarnings = 20;
const maxMessageLength = 500;

/** `about` names the page, if an answer is about one page only. */
export function vendorWarnings(
  provider: ProviderId,
  body: unknown,
  { at, params, paths = {}, except }: VendorWarnings,
  about?: string,
): Warning[] {
  const found: string[] = [];
  for (const path of at) {
    const value = valueIn(body, path);
    if (value !== undefined) found.push(...linesIn(value));
  }
  // The usual case.
  if (found.length === 0) return [];
  const lines = [...new Set(found)].filter((line) => !except?.test(line)).slice(0, maxWarnings);
  return lines.map((line): Warning => {
    const place = about === undefined ? '' : `${about}: `;
    const message = `${provider}: ${place}${sentenceOf(line)}`;
    const param = paramIn(line, params) ?? paramAt(line, paths);
    return param === undefined
      ? { code: 'results_post_filtered', message }
      : { code: 'param_approximated', param, message };
  });
}

/** Some vendors only list the fields that they ignored. A code in capitals is not a field. */
function sentenceOf(line: string): string {
  const field = /^[A-Za-z_][\w.]*$/.test(line) && /[a-z]/.test(line);
  return field ? `the provider says that ${line} had no effect.` : line;
}

/** One text may contain several lines. A list may contain texts or objects. */
function linesIn(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value.slice(0, maxWarnings) : [value];
  return items.flatMap((item) => {
    const text = typeof item === 'string' ? item : textOf(item);
    return text
      .slice(0, maxMessageLength * maxWarnings)
      .split('\n')
      .map((line) => line.trim().slice(0, maxMessageLength))
      .filter((line) => line !== '');
  });
}

/** The sentence, after the code or the field that it is about. */
function textOf(item: unknown): string {
  if (!isObject(item)) return '';
  const first = (names: readonly string[]) =>
    names.map((name) => item[name]).find((value) => typeof value === 'string' && value !== '') as
      | string
      | undefined;
  const about = first(['field', 'param', 'parameter', 'path', 'code', 'tag']);
  const parts = [about, first(['message', 'text'])];
  return parts.filter((part) => part !== undefined).join(': ');
}

function paramIn(line: string, params: VendorWarnings['params']): string | undefined {
  const words = line.match(/[A-Za-z_]\w*/g) ?? [];
  const known = words.find((word) => Object.hasOwn(params, word));
  return known === undefined ? undefined : params[known];
}

/** A line about a path begins with that path. */
function paramAt(line: string, paths: Readonly<Record<string, string>>): string | undefined {
  const known = Object.keys(paths).find((path) => line.startsWith(path));
  return known === undefined ? undefined : paths[known];
}
