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
import { extractPrice, itemsAt, searchPrice } from '../shared/price-rule.ts';

const depths = ['ultra-fast', 'fast', 'basic', 'advanced'] as const;

export const tavilySearchPrice = searchPrice({
  rates: { 'ultra-fast': 8000, fast: 8000, basic: 8000, advanced: 16_000, credit: 8000 },
  reads: ['search_depth', 'auto_parameters'],
  // If the vendor chooses the depth, the price of the deepest one must be held.
  each: ({ rates }, read) =>
    isOn(read('auto_parameters'))
      ? highestRate(rates, depths)
      : tierRate(rates, depths, { given: read('search_depth'), absent: 'basic' }),
  reported: ({ rates, bodies: [body] }) =>
    reportedCost(valueAt(body, 'usage.credits'), rates.credit),
});

/**
 * Counted here, because the vendor's own figure stays at zero until five pages have been extracted.
 */
export const tavilyExtractPrice = extractPrice({
  rates: { page: 1600, advanced_page: 3200 },
  reads: ['extract_depth'],
  each: ({ rates, bodies, isBefore, delivered, maxCharged }, read, at) => {
    const plain = readName(read('extract_depth') ?? 'basic', ['basic']) !== undefined;
    const pages = itemsAt(bodies[at], 'results').filter((page) =>
      filled(valueAt(page, 'raw_content')),
    );
    return (
      (plain ? rates.page : rates.advanced_page) *
      Math.min(maxCharged, isBefore ? delivered : pages.length)
    );
  },
});
