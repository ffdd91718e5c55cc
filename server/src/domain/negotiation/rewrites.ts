// Filters folded into the query text as operators, for engines that read those and nothing else.
import { dayShifted, freshness_days, isoDay } from '../dates.ts';
import { hasPath, hostOf } from '../domains.ts';
import type { Rewrite } from './support.ts';

/** Operators name whole hosts: to leave one out for a path below it would leave out too much. */
export function isWritable(by: Rewrite, entry: string): boolean {
  return by !== 'not_site' || !hasPath(entry);
}

export function operatorsFor(by: Rewrite, value: unknown, now: Date): string {
  switch (by) {
    case 'site': {
      const sites = (value as string[]).map((entry) => `site:${hostOf(entry)}`);
      return sites.length === 1 ? String(sites[0]) : `(${sites.join(' OR ')})`;
    }
    case 'flat_site':
      return (value as string[]).map((entry) => `site:${hostOf(entry)}`).join(' OR ');
    case 'not_site':
      return (value as string[]).map((entry) => `-site:${hostOf(entry)}`).join(' ');
    // These operators leave out the day they name, so each bound is moved by one day.
    case 'after':
      return `after:${dayShifted(value as string, -1)}`;
    case 'before':
      return `before:${dayShifted(value as string, 1)}`;
    case 'since':
      return `after:${dayShifted(isoDay(now), -freshness_days[value as 'day'] - 1)}`;
  }
}
