// The gateway's own filters on a provider's results. The warnings report how many were removed.
import type { Warning } from '@trivium/contract';
import { dayShifted, freshnessStart, isoDay } from './dates.ts';
import { compileDomains, readPlace, type PagePlace } from './domains.ts';
import type { Filter } from './negotiate.ts';

interface Filterable {
  url: string;
  published_date?: string | undefined;
  /** Set if the engine gives only a year. */
  published_year?: number | undefined;
}

export function filterResults<T extends Filterable>(
  results: readonly T[],
  filters: readonly Filter[],
  warnings: readonly Warning[],
  now: Date,
) {
  let kept = [...results];
  const reported = [...warnings];
  const place = placesOnce();
  for (const filter of filters) {
    const before = kept.length;
    const verdict = verdictOf(filter, now, place);
    let undated = 0;
    kept = kept.filter((result) => {
      const reached = verdict(result);
      if (reached === 'undated') undated += 1;
      return reached !== 'remove';
    });
    const removed = before - kept.length;
    const given = filter.warning === undefined ? undefined : reported[filter.warning];
    const filtered = given?.code === 'results_post_filtered';
    if (!filtered && removed === 0) continue;
    // An approximated filter keeps its warning, and removals get a separate one.
    const at = filtered ? (filter.warning ?? reported.length) : reported.length;
    const warning = filtered ? given : foundOutside(filter);
    reported[at] = counted(warning, removed, before, undated);
  }
  return { kept, warnings: reported };
}

function foundOutside({ param }: Filter): Warning {
  const message = 'The provider returned results outside this filter, so they were removed.';
  return { code: 'results_post_filtered', param, message };
}

type ReadPlace = (url: string) => PagePlace | undefined;

/** Parses each URL once for all filters. */
function placesOnce(): ReadPlace {
  const known = new Map<string, PagePlace | undefined>();
  return (url) => {
    if (!known.has(url)) known.set(url, readPlace(url));
    return known.get(url);
  };
}

type Verdict = 'keep' | 'remove' | 'undated';

function verdictOf(filter: Filter, now: Date, read: ReadPlace): (result: Filterable) => Verdict {
  switch (filter.param) {
    case 'include_domains':
    case 'exclude_domains': {
      const isListed = compileDomains(filter.value as string[]);
      const wanted = filter.param === 'include_domains';
      return ({ url }) => {
        const page = read(url);
        return (page !== undefined && isListed(page)) === wanted ? 'keep' : 'remove';
      };
    }
    case 'published_after':
      return dated((day) => day >= String(filter.value));
    case 'published_before':
      return dated((day) => day <= String(filter.value));
    case 'freshness': {
      // Some providers count calendar months and years, which may be one day longer.
      const longer = filter.value === 'month' || filter.value === 'year' ? -1 : 0;
      const start = dayShifted(isoDay(freshnessStart(String(filter.value), now)), longer);
      return dated((day) => day >= start);
    }
    default:
      throw new Error(`no filter of ours is known for ${filter.param}`);
  }
}

/** A page without a date may match, so it is kept, and the warning counts such pages. */
function dated(fits: (day: string) => boolean): (result: Filterable) => Verdict {
  return ({ published_date, published_year: year }) => {
    if (published_date !== undefined) return fits(published_date) ? 'keep' : 'remove';
    if (year === undefined) return 'undated';
    // For a year, only its first and last day can be compared.
    const [first, last] = [fits(`${year}-01-01`), fits(`${year}-12-31`)];
    if (first && last) return 'keep';
    return first || last ? 'undated' : 'remove';
  };
}

function counted(warning: Warning, removed: number, of: number, undated: number): Warning {
  const kept = undated > 0 ? `; ${undated} had no date and were kept` : '';
  return { ...warning, message: `${warning.message} ${removed} of ${of} results removed${kept}.` };
}
