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
import { extractPrice, searchPrice, sumOver } from '../shared/price-rule.ts';

/** The two expensive types may return licensed sources. */
const searchTypes = ['web', 'news', 'all', 'proprietary'] as const;
/** Some keys allow more than twenty. */
const maxResults = 100;

export const valyuSearchPrice = searchPrice({
  rates: { web: 1500, news: 1500, all: 50_000, proprietary: 50_000 },
  reads: ['search_type', 'max_num_results'],
  cost: ({ rates, requests, bodies, delivered }) => ({
    table: sumOver(requests, (read) => {
      const each = tierRate(rates, searchTypes, { given: read('search_type'), absent: 'all' });
      const wanted = readCount(read('max_num_results'), { absent: 10, max: maxResults });
      return each * (bodies.length === 0 ? wanted : Math.min(delivered, wanted));
    }),
    reported: reportedCost(valueAt(bodies[0], 'total_deduction_dollars'), microUsdPerUsd),
  }),
});

export const valyuContentsPrice = extractPrice({
  rates: { page: 1000, summary: 1000 },
  reads: ['summary'],
  cost: ({ rates, requests, bodies, delivered, ask }) => {
    const mayAskAgain = ask['content.excerpts'] !== undefined && ask['content.full_text'] === true;
    const rounds = bodies.length === 0 && mayAskAgain ? 2 : 1;
    const table = sumOver(requests, (read, at) => {
      const each = rates.page + (isOn(read('summary')) ? rates.summary : 0);
      return each * (at === 0 ? delivered * rounds : Math.min(pagesIn(bodies[at]), delivered));
    });
    const reports = bodies.map((body) =>
      reportedCost(valueAt(body, 'total_cost_dollars'), microUsdPerUsd),
    );
    return { table, reported: sumOfReports(reports) };
  },
});

/** The pages that a second round returned. */
function pagesIn(body: unknown): number {
  const results = valueAt(body, 'results');
  const pages: unknown[] = Array.isArray(results) ? results : [];
  return pages.filter((page) => valueAt(page, 'status') !== 'failed').length;
}
