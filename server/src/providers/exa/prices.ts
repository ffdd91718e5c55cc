// What Exa charges: a search by its type and results, a page by each kind of content, and subpages
// like pages.
import {
  isOn,
  microUsdPerUsd,
  readCount,
  reportedCost,
  tierRate,
  valueAt,
} from '../../billing/core/index.ts';
import { extractPrice, itemsAt, searchPrice, sumOver } from '../shared/price-rule.ts';
import type { PricedCall } from '../shared/price-rule.ts';

const searchTypes = [
  'instant',
  'lite',
  'fast',
  'auto',
  'deep-lite',
  'deep',
  'deep-reasoning',
] as const;
const includedResults = 10;
const resultBounds = { absent: 10, max: 100 };
const subpageBounds = { absent: 0, min: 0, max: 100 };
const kinds = ['text', 'highlights', 'summary'] as const;
/** The options for these in a search, in full: a name joined for each search is slow to look up. */
const contents = ['contents.text', 'contents.highlights', 'contents.summary'] as const;

export const exaSearchPrice = searchPrice({
  rates: {
    instant: 4000,
    lite: 4000,
    fast: 7000,
    auto: 7000,
    'deep-lite': 12_000,
    deep: 12_000,
    'deep-reasoning': 15_000,
    result_above_10: 1000,
    summary: 1000,
    subpage: 1000,
  },
  notes: {
    fast:
      'the vendor calls `instant` and `fast` legacy names, and recommends `lite` through ' +
      '`provider_options` (changelog, 2026-11-17)',
  },
  reads: [
    'type',
    'numResults',
    'contents.text',
    'contents.highlights',
    'contents.summary',
    'contents.subpages',
  ],
  each: ({ rates, bodies, maxCharged }, read) => {
    const results = Math.min(maxCharged, readCount(read('numResults'), resultBounds));
    const below = readCount(read('contents.subpages'), subpageBounds);
    const asked = contents.filter((option) => isOn(read(option)));
    return (
      tierRate(rates, searchTypes, { given: read('type'), absent: 'auto' }) +
      rates.result_above_10 * Math.max(0, results - includedResults) +
      (asked.includes('contents.summary') ? rates.summary * results : 0) +
      // Subpages are never included in the price, and are charged for each kind of content.
      rates.subpage * Math.max(1, asked.length) * subpagesOf(bodies, results * below)
    );
  },
  reported,
});

export const exaContentsPrice = extractPrice({
  rates: { text: 1000, highlights: 1000, summary: 1000 },
  reads: ['text', 'highlights', 'summary', 'subpages'],
  each: ({ rates, bodies, delivered }, read) => {
    const asked = kinds.filter((kind) => isOn(read(kind)));
    // If nothing is requested, the vendor returns the text.
    const each = asked.length === 0 ? rates.text : sumOver(asked, (kind) => rates[kind]);
    const below = readCount(read('subpages'), subpageBounds);
    return each * (delivered + subpagesOf(bodies, delivered * below));
  },
  reported,
});

/** Before the call, all requested subpages; afterwards, those that were returned. */
function subpagesOf([body]: readonly unknown[], asked: number): number {
  if (asked === 0 || !Array.isArray(valueAt(body, 'results'))) return asked;
  const came = sumOver(itemsAt(body, 'results'), (result) => itemsAt(result, 'subpages').length);
  return Math.min(came, asked);
}

/** The vendor's own figure takes the account's tier into account. */
function reported({ bodies: [body] }: Pick<PricedCall, 'bodies'>): number | undefined {
  return reportedCost(valueAt(body, 'costDollars.total'), microUsdPerUsd);
}
