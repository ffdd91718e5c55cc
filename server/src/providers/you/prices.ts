// What You.com charges: a search, whatever it finds; pages that it fetches in full with a search;
// and pages on their own.
import { isOn, readCount, readName } from '../../billing/core/index.ts';
import { extractPrice, itemsAt, searchPrice, sumOver } from '../shared/price-rule.ts';
import type { Read } from '../shared/price-rule.ts';

/** Web pages and news are counted separately. */
const sections = ['results.web', 'results.news'];
const fetching = [
  'extraction',
  'extraction.extraction_mode',
  'extraction.extraction_source',
  'livecrawl',
] as const;

export const youSearchPrice = searchPrice({
  // You.com billing page, 2026-11-15; which pages count, extraction guide, 2026-11-17.
  rates: { search: 5000, full_page: 1000 },
  notes: {
    full_page:
      'each page that is fetched live, with `extraction_source: fetch` or `livecrawl`; pages of ' +
      'the cache cost nothing (documentation on 2026-11-17)',
  },
  reads: ['count', ...fetching],
  each: ({ rates, bodies: [body], isBefore }, read) => {
    const fetched = pagesFetched(read);
    // With a mix, the vendor does not say which pages it fetched, so their price is only held.
    if (fetched === 'none' || (fetched === 'some' && !isBefore)) return rates.search;
    const maxPages = sections.length * readCount(read('count'), { absent: 10, max: 100 });
    const pages = sumOver(sections, (section) => itemsAt(body, section).length);
    return rates.search + rates.full_page * (isBefore ? maxPages : Math.min(pages, maxPages));
  },
});

export const youContentsPrice = extractPrice({
  rates: { page: 1000 },
  reads: [],
  each: ({ rates, delivered }) => rates.page * delivered,
});

/**
 * Which whole pages are fetched live, by the newer option or the older one. Passages and cached
 * pages are included in the price of a search.
 */
function pagesFetched(read: Read<(typeof fetching)[number]>): 'none' | 'some' | 'all' {
  if (isOn(read('livecrawl'))) return 'all';
  const passages = readName(read('extraction.extraction_mode'), ['highlights']) !== undefined;
  if (!isOn(read('extraction')) || passages) return 'none';
  const source = readName(read('extraction.extraction_source') ?? 'blend', ['blend', 'cache']);
  if (source === undefined) return 'all';
  return source === 'cache' ? 'none' : 'some';
}
