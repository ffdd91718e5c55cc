// Writes filters into the query as operators, for engines without another way, and fits both into
// the provider's limits.
import { dayShifted, freshnessDays, isoDay } from './dates.ts';
import { readEntry } from './domains.ts';
import type { Rewrite } from './support.ts';

/** A provider's limits for a query. Infinite if there is none. */
export interface QueryLimit {
  chars: number;
  words: number;
}

/** A limit as text, for warnings and tables. */
export function limitWords({ at, words }: { at: number; words?: number }): string {
  return words === undefined ? `${at} characters` : `${at} characters and ${words} words`;
}

/** Spaces at either end count as a word, as strict vendors count them. */
export function wordsIn(text: string): number {
  return text.split(/\s+/).length;
}

/** Keeps at most this many words, and the spaces between them. */
export function cutToWords(text: string, words: number): string {
  if (words === Infinity || wordsIn(text) <= words) return text;
  const gaps = text.matchAll(/\s+/g).drop(Math.max(words, 1) - 1);
  return text.slice(0, gaps.next().value?.index);
}

/**
 * How many entries of a list fit as operators after the query. A long query is shortened for them,
 * down to half of the provider's limit.
 */
export function entriesThatFit(
  entries: readonly string[],
  write: (entries: readonly string[]) => string,
  { query, suffix, limit }: { query: string; suffix: string; limit: QueryLimit },
): number {
  if (limit.chars === Infinity && limit.words === Infinity) return entries.length;
  const chars = limit.chars - Math.min(query.length, Math.floor(limit.chars / 2));
  const words = limit.words - Math.min(wordsIn(query), Math.floor(limit.words / 2));
  const fits = (count: number) => {
    const behind = `${suffix} ${write(entries.slice(0, count))}`;
    return behind.length <= chars && wordsIn(behind) - 1 <= words;
  };
  // More entries are never shorter, so a binary search finds how many fit.
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Operators name whole hosts, so excluding a host because of one path would exclude too much. */
export function isWritable(by: Rewrite, entry: string): boolean {
  if (by !== 'not_site') return true;
  const { mark, host, port, path } = readEntry(entry);
  return path === '' && port === '' && (mark === '' || !host.includes('.'));
}

export function operatorsFor(by: Rewrite, value: unknown, now: Date): string {
  switch (by) {
    case 'site': {
      const sites = (value as string[]).map((entry) => `site:${readEntry(entry).host}`);
      return sites.length === 1 ? String(sites[0]) : `(${sites.join(' OR ')})`;
    }
    case 'flat_site':
      return (value as string[]).map((entry) => `site:${readEntry(entry).host}`).join(' OR ');
    case 'not_site':
      return (value as string[]).map((entry) => `-site:${readEntry(entry).host}`).join(' ');
    // These operators exclude the day they name, so each bound is moved by one day.
    case 'after':
      return `after:${dayShifted(value as string, -1)}`;
    case 'before':
      return `before:${dayShifted(value as string, 1)}`;
    case 'since':
      return `after:${dayShifted(isoDay(now), -freshnessDays[value as 'day'] - 1)}`;
  }
}
