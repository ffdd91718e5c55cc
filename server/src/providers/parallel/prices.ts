// What Parallel charges: a search by its mode and the results beyond ten; a page, however much of
// it is requested. It reports how many of each it counted, never money.
import {
  isOn,
  readCount,
  reportedCost,
  sumOfReports,
  tierRate,
  valueAt,
} from '../../billing/core/index.ts';
import { extractPrice, itemsAt, searchPrice, sumOver } from '../shared/price-rule.ts';

const modes = ['turbo', 'fast', 'basic', 'advanced'] as const;
const includedResults = 10;
/** The vendor lowers higher numbers to this one. */
const maxResults = 20;

export const parallelSearchPrice = searchPrice({
  rates: { turbo: 1000, fast: 1000, basic: 5000, advanced: 5000, result_above_10: 1000 },
  reads: ['mode', 'advanced_settings.max_results'],
  each: ({ rates, counted }, read) => {
    const bounds = { absent: 10, max: maxResults };
    const results = counted(readCount(read('advanced_settings.max_results'), bounds));
    const more = Math.max(0, results - includedResults);
    return modeRate(rates, read('mode')) + rates.result_above_10 * more;
  },
  // The vendor reports searches in any mode under one name, so each has the price of the mode it
  // was sent with.
  reported: ({ rates, bodies: [body] }, read) =>
    sumOfReports([
      reportedCost(countOf(body, 'sku_search'), modeRate(rates, read('mode'))),
      reportedCost(countOf(body, 'sku_search_additional_results') ?? 0, rates.result_above_10),
    ]),
});

function modeRate(rates: Readonly<Record<(typeof modes)[number], number>>, given: unknown): number {
  return tierRate(rates, modes, { given, absent: 'advanced' });
}

/** A page that the vendor could not fetch costs nothing. */
export const parallelExtractPrice = extractPrice({
  rates: { page: 1000, full_content: 0 },
  reads: ['advanced_settings.full_content'],
  each: ({ rates, delivered }, read) => {
    const whole = isOn(read('advanced_settings.full_content')) ? rates.full_content : 0;
    return (rates.page + whole) * delivered;
  },
  reported: ({ rates, bodies: [body] }) =>
    sumOfReports([
      reportedCost(countOf(body, 'sku_extract_excerpts'), rates.page),
      reportedCost(countOf(body, 'sku_extract_full_content') ?? 0, rates.full_content),
    ]),
});

/** How many units the vendor says it charges for. Undefined if it does not say. */
function countOf(body: unknown, sku: string): number | undefined {
  const counts = itemsAt(body, 'usage')
    .filter((item) => valueAt(item, 'name') === sku)
    .map((item) => valueAt(item, 'count'));
  if (counts.length === 0) return undefined;
  return sumOver(counts, (count) => (typeof count === 'number' ? count : NaN));
}
