// What Linkup charges: a search by its depth and by whether it writes an answer, a page by whether
// its scripts are run.
import { isOn, readName } from '../../billing/core/index.ts';
import { extractPrice, searchPrice, sumOver } from '../shared/price-rule.ts';

export const linkupSearchPrice = searchPrice({
  rates: { standard: 5000, deep: 50_000, standard_answer: 6000, deep_answer: 55_000 },
  reads: ['depth', 'outputType'],
  cost: ({ rates, requests }) => ({
    table: sumOver(requests, (read) => {
      const quick = readName(read('depth'), ['flash', 'fast', 'standard']) !== undefined;
      const listed = readName(read('outputType'), ['searchResults']) !== undefined;
      if (listed) return quick ? rates.standard : rates.deep;
      return quick ? rates.standard_answer : rates.deep_answer;
    }),
  }),
});

export const linkupFetchPrice = extractPrice({
  rates: { page: 1000, rendered: 5000 },
  reads: ['renderJs'],
  cost: ({ rates, requests, delivered }) => ({
    table: sumOver(
      requests,
      (read) => (isOn(read('renderJs')) ? rates.rendered : rates.page) * delivered,
    ),
  }),
});
