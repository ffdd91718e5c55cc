// What Linkup charges: a search by its depth and by whether it writes an answer; a page by whether
// its scripts run, and by the mode.
import { isOn, readName } from '../../billing/core/index.ts';
import { extractPrice, searchPrice } from '../shared/price-rule.ts';

export const linkupSearchPrice = searchPrice({
  rates: { standard: 5000, deep: 50_000, standard_answer: 6000, deep_answer: 55_000 },
  reads: ['depth', 'outputType'],
  each: ({ rates }, read) => {
    const quick = readName(read('depth'), ['flash', 'fast', 'standard']) !== undefined;
    const listed = readName(read('outputType'), ['searchResults']) !== undefined;
    if (listed) return quick ? rates.standard : rates.deep;
    return quick ? rates.standard_answer : rates.deep_answer;
  },
});

export const linkupFetchPrice = extractPrice({
  // page and rendered: docs.linkup.so, pricing, 2026-11-15.
  rates: { page: 1000, rendered: 5000, pro: 10_000 },
  notes: {
    pro:
      'with `mode: pro`; the vendor names no amount (its documentation on 2026-11-17), so ten ' +
      'times a standard page is charged',
  },
  reads: ['renderJs', 'mode'],
  each: ({ rates, delivered }, read) => {
    const standard = readName(read('mode') ?? 'standard', ['standard']) !== undefined;
    if (!standard) return rates.pro * delivered;
    return (isOn(read('renderJs')) ? rates.rendered : rates.page) * delivered;
  },
});
