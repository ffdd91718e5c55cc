// What Serper charges, in credits: one for a page of results, more for a page that is hard to read.
// Every answer reports its credits.
import { readCount, reportedCost, sumOfReports, valueAt } from '../../billing/core/index.ts';
import { extractPrice, searchPrice } from '../shared/price-rule.ts';

const resultsForOneCredit = 10;
const creditsForMoreResults = 2;
const creditsForMostPages = 2;
/** What the most difficult pages cost. */
const creditsForAnyPage = 10;

export const serperSearchPrice = searchPrice({
  rates: { credit: 1000 },
  reads: ['num'],
  each: ({ rates }, read) => {
    const results = readCount(read('num'), { absent: 10, max: 100 });
    return rates.credit * (results > resultsForOneCredit ? creditsForMoreResults : 1);
  },
  reported,
});

export const serperPagePrice = extractPrice({
  rates: { credit: 1000 },
  reads: [],
  each: ({ rates, isBefore, delivered }) =>
    rates.credit * (isBefore ? creditsForAnyPage : creditsForMostPages) * delivered,
  reported,
});

function reported({ rates, bodies }: { rates: { credit: number }; bodies: readonly unknown[] }) {
  return sumOfReports(bodies.map((body) => reportedCost(valueAt(body, 'credits'), rates.credit)));
}
