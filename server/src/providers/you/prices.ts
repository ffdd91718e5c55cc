// What You.com charges: a search whatever it finds, pages fetched whole with it, and pages by
// themselves.
import { isOn, readCount, readName, valueAt } from '../../billing/core/index.ts';
import { extractPrice, searchPrice, sumOver } from '../shared/price-rule.ts';
import type { Read } from '../shared/price-rule.ts';

/** Web pages and news are counted apart. */
const sections = ['results.web', 'results.news'];
const fetching = ['extraction', 'extraction.extraction_mode', 'livecrawl'] as const;

export const youSearchPrice = searchPrice({
  rates: { search: 5000, full_page: 1000 },
  reads: ['count', ...fetching],
  cost: ({ rates, requests, bodies }) => ({
    table: sumOver(requests, (read) => {
      if (!fetchesPages(read)) return rates.search;
      const maxPages = sections.length * readCount(read('count'), { absent: 10, max: 100 });
      const pages = bodies.length === 0 ? maxPages : Math.min(pagesIn(bodies[0]), maxPages);
      return rates.search + rates.full_page * pages;
    }),
  }),
});

export const youContentsPrice = extractPrice({
  rates: { page: 1000 },
  reads: [],
  cost: ({ rates, delivered }) => ({ table: rates.page * delivered }),
});

/** Passages are included; whole pages, by the newer option or the older one, are not. */
function fetchesPages(read: Read<(typeof fetching)[number]>): boolean {
  const passages = readName(read('extraction.extraction_mode'), ['highlights']) !== undefined;
  return (isOn(read('extraction')) && !passages) || isOn(read('livecrawl'));
}

function pagesIn(body: unknown): number {
  return sumOver(sections, (section) => {
    const pages = valueAt(body, section);
    return Array.isArray(pages) ? pages.length : 0;
  });
}
