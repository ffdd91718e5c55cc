// Filters written into the query as operators, for engines without another way.
import { dayShifted, freshnessDays, isoDay } from './dates.ts';
import { readEntry } from './domains.ts';
import type { Rewrite } from './support.ts';

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
