// What Tavily charges: a search by its depth, a delivered page by the depth of its extraction.
import {
  highestRate,
  isOn,
  readName,
  reportedCost,
  tierRate,
  valueAt,
} from '../../billing/core/index.ts';
import { filled } from '../shared/text.ts';
import { extractPrice, searchPrice, sumOver } from '../shared/price-rule.ts';

const depths = ['ultra-fast', 'fast', 'basic', 'advanced'] as const;

export const tavilySearchPrice = searchPrice({
  rates: { 'ultra-fast': 8000, fast: 8000, basic: 8000, advanced: 16_000, credit: 8000 },
  reads: ['search_depth', 'auto_parameters'],
  cost: ({ rates, requests, bodies }) => ({
    table: sumOver(requests, (read) =>
      // If the vendor chooses the depth, the price of the deepest one must be held.
      isOn(read('auto_parameters'))
        ? highestRate(rates, depths)
        : tierRate(rates, depths, { given: read('search_depth'), absent: 'basic' }),
    ),
    reported: reportedCost(valueAt(bodies[0], 'usage.credits'), rates.credit),
  }),
});

/**
 * Counted here, because the vendor's own figure stays at zero until five pages have been extracted.
 */
export const tavilyExtractPrice = extractPrice({
  rates: { page: 1600, advanced_page: 3200 },
  reads: ['extract_depth'],
  cost: ({ rates, requests, bodies, delivered }) => ({
    table: sumOver(requests, (read, at) => {
      const plain = readName(read('extract_depth') ?? 'basic', ['basic']) !== undefined;
      const pages = bodies.length === 0 ? delivered : Math.min(pagesIn(bodies[at]), delivered);
      return (plain ? rates.page : rates.advanced_page) * pages;
    }),
  }),
});

function pagesIn(body: unknown): number {
  const results = valueAt(body, 'results');
  const pages: unknown[] = Array.isArray(results) ? results : [];
  return pages.filter((page) => filled(valueAt(page, 'raw_content'))).length;
}
