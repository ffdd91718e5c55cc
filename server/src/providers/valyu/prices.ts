// What Valyu charges: each result by its source, each delivered page, and a summary of it. It
// reports what it charged.
import {
  isOn,
  microUsdPerUsd,
  readCount,
  reportedCost,
  sumOfReports,
  tierRate,
  valueAt,
} from '../../billing/core/index.ts';
import { extractPrice, itemsAt, searchPrice } from '../shared/price-rule.ts';

/** The two expensive types may return licensed sources. */
const searchTypes = ['web', 'news', 'all', 'proprietary'] as const;
/** Some keys allow more than twenty. */
const maxResults = 100;

export const valyuSearchPrice = searchPrice({
  rates: { web: 1500, news: 1500, all: 50_000, proprietary: 50_000 },
  reads: ['search_type', 'max_num_results'],
  each: ({ rates, counted }, read) => {
    const each = tierRate(rates, searchTypes, { given: read('search_type'), absent: 'all' });
    return each * counted(readCount(read('max_num_results'), { absent: 10, max: maxResults }));
  },
  reported: ({ bodies: [body] }) =>
    reportedCost(valueAt(body, 'total_deduction_dollars'), microUsdPerUsd),
});

export const valyuContentsPrice = extractPrice({
  rates: { page: 1000, summary: 1000 },
  reads: ['summary'],
  each: ({ rates, bodies, isBefore, delivered, ask }, read, at) => {
    const mayAskAgain = ask['content.excerpts'] !== undefined && ask['content.full_text'] === true;
    const rounds = isBefore && mayAskAgain ? 2 : 1;
    const each = rates.page + (isOn(read('summary')) ? rates.summary : 0);
    return each * (at === 0 ? delivered * rounds : Math.min(pagesIn(bodies[at]), delivered));
  },
  reported: ({ bodies }) =>
    sumOfReports(
      bodies.map((body) => reportedCost(valueAt(body, 'total_cost_dollars'), microUsdPerUsd)),
    ),
});

/** The pages that a second round returned. */
function pagesIn(body: unknown): number {
  return itemsAt(body, 'results').filter((page) => valueAt(page, 'status') !== 'failed').length;
}
