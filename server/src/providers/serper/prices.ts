// What Serper charges, in credits: one for a page of results, more for a page that is hard to read.
// Every answer reports its credits.
import { readCount, reportedCost, sumOfReports, valueAt } from '../../billing/core/index.ts';
import { extractPrice, searchPrice, sumOver } from '../shared/price-rule.ts';

const resultsForOneCredit = 10;
const creditsForMoreResults = 2;
const creditsForMostPages = 2;
/** What the most difficult pages cost. */
const creditsForAnyPage = 10;

export const serperSearchPrice = searchPrice({
  rates: { credit: 1000 },
  reads: ['num'],
  cost: ({ rates, requests, bodies }) => ({
    table: sumOver(requests, (read) => {
      const results = readCount(read('num'), { absent: 10, max: 100 });
      return rates.credit * (results > resultsForOneCredit ? creditsForMoreResults : 1);
    }),
    reported: creditsIn(bodies, rates.credit),
  }),
});

export const serperPagePrice = extractPrice({
  rates: { credit: 1000 },
  reads: [],
  cost: ({ rates, bodies, delivered }) => ({
    table:
      rates.credit * (bodies.length === 0 ? creditsForAnyPage : creditsForMostPages) * delivered,
    reported: creditsIn(bodies, rates.credit),
  }),
});

function creditsIn(bodies: readonly unknown[], credit: number): number | undefined {
  return sumOfReports(bodies.map((body) => reportedCost(valueAt(body, 'credits'), credit)));
}
