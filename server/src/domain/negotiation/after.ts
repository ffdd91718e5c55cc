// What we do to results after the provider answered: our own filters, with their counts told in the
// warnings.
import type { Warning } from '@trivium/contract';
import { freshnessStart, isoDay } from '../dates.ts';
import { isUnder, readEntry } from '../domains.ts';
import type { Filter } from './negotiate.ts';

interface Filterable {
  url: string;
  published_date?: string | undefined;
}

export interface Filtered<T> {
  kept: T[];
  warnings: Warning[];
}

export function filterResults<T extends Filterable>(
  results: readonly T[],
  filters: readonly Filter[],
  warnings: readonly Warning[],
  now: Date,
): Filtered<T> {
  let kept = [...results];
  const told = [...warnings];
  for (const filter of filters) {
    const before = kept.length;
    const verdict = verdictOf(filter, now);
    kept = kept.filter((result) => verdict(result) !== 'remove');
    const undated = kept.filter((result) => verdict(result) === 'undated').length;
    const removed = before - kept.length;
    const given = filter.warning === undefined ? undefined : told[filter.warning];
    const filtered = given?.code === 'results_post_filtered';
    if (!filtered && removed === 0) continue;
    // A filter that was only approximated keeps its own warning beside that of what was removed.
    const place = filtered ? (filter.warning ?? told.length) : told.length;
    const warning = filtered ? given : foundOutside(filter);
    told[place] = counted(warning, removed, before, undated);
  }
  return { kept, warnings: told };
}

function foundOutside({ param }: Filter): Warning {
  const message = 'The provider returned results outside this filter, so they were removed.';
  return { code: 'results_post_filtered', param, message };
}

type Verdict = 'keep' | 'remove' | 'undated';

function verdictOf(filter: Filter, now: Date): (result: Filterable) => Verdict {
  switch (filter.param) {
    case 'include_domains': {
      const entries = (filter.value as string[]).map(readEntry);
      return ({ url }) => (entries.some((entry) => isUnder(url, entry)) ? 'keep' : 'remove');
    }
    case 'exclude_domains': {
      const entries = (filter.value as string[]).map(readEntry);
      return ({ url }) => (entries.some((entry) => isUnder(url, entry)) ? 'remove' : 'keep');
    }
    case 'published_after':
      return dated((day) => day >= String(filter.value));
    case 'published_before':
      return dated((day) => day <= String(filter.value));
    case 'freshness': {
      const start = isoDay(freshnessStart(String(filter.value), now));
      return dated((day) => day >= start);
    }
    default:
      throw new Error(`no filter of ours is known for ${filter.param}`);
  }
}

/** A page without a date may well fit, so it stays, and the warning says how many did. */
function dated(fits: (day: string) => boolean): (result: Filterable) => Verdict {
  return ({ published_date }) => {
    if (published_date === undefined) return 'undated';
    return fits(published_date) ? 'keep' : 'remove';
  };
}

function counted(warning: Warning, removed: number, of: number, undated: number): Warning {
  const kept = undated > 0 ? `; ${undated} had no date and were kept` : '';
  return { ...warning, message: `${warning.message} ${removed} of ${of} results removed${kept}.` };
}
