// What Jina charges, in tokens: results in tens, pages by their length. It reports tokens, never
// money; without a key it serves for nothing.
import {
  type Cost,
  isOn,
  readCount,
  readName,
  reportedCost,
  valueAt,
} from '../../billing/core/index.ts';
import { extractPrice, searchPrice, sumOver } from '../shared/price-rule.ts';

const millionTokens = 1_000_000;
const resultBounds = { absent: 10, max: 20 };
const plainEngines = ['google', 'reader'] as const;
/** Formats that are cut from the page; a model makes all others. */
const plainFormats = ['content', 'markdown', 'html', 'text', 'screenshot', 'pageshot'] as const;
const timesForModel = 3;
const timesForProxy = 5;

/** Charged per ten results: more for news, images and Bing, most with page contents. */
export const jinaSearchPrice = searchPrice({
  rates: {
    ten_results: 500,
    ten_from_bing: 1500,
    ten_news: 2500,
    with_pages: 100_000,
    million_tokens: 50_000,
  },
  // Two options have a second name, and it is not known which one counts.
  reads: ['num', 'count', 'type', 'engine', 'provider', 'respondWith'],
  cost: ({ rates, requests, bodies, delivered, keyless }): Cost => {
    if (keyless) return { table: 0 };
    const table = sumOver(requests, (read) => {
      const readsPages = readName(read('respondWith'), ['no-content']) === undefined;
      if (readsPages && bodies.length === 0) return rates.with_pages;
      const maxResults = Math.max(
        readCount(read('num'), resultBounds),
        readCount(read('count'), { ...resultBounds, absent: 0 }),
      );
      const tens = Math.ceil(
        (bodies.length === 0 ? maxResults : Math.min(delivered, maxResults)) / 10,
      );
      if (readName(read('type') ?? 'web', ['web']) === undefined) return rates.ten_news * tens;
      const engines = [read('engine'), read('provider')].filter((engine) => engine !== undefined);
      const plain = engines.every((engine) => readName(engine, plainEngines) !== undefined);
      return (plain ? rates.ten_results : rates.ten_from_bing) * tens;
    });
    return { table, reported: reportOf(bodies, rates.million_tokens) };
  },
});

/** A page costs what its text is long, so before the call only a generous bound is known. */
export const jinaPagePrice = extractPrice({
  rates: { page: 500, page_at_most: 10_000, million_tokens: 50_000 },
  reads: ['respondWith', 'proxy'],
  cost: ({ rates, requests, bodies, delivered, keyless }): Cost => {
    if (keyless) return { table: 0 };
    const page = bodies.length === 0 ? rates.page_at_most : rates.page;
    const table = sumOver(requests, (read) => {
      const plain = readName(read('respondWith') ?? 'content', plainFormats) !== undefined;
      const times = (plain ? 1 : timesForModel) * (isOn(read('proxy')) ? timesForProxy : 1);
      return page * times * delivered;
    });
    return { table, reported: reportOf(bodies, rates.million_tokens) };
  },
});

function reportOf([body]: readonly unknown[], perMillion: number): number | undefined {
  return reportedCost(valueAt(body, 'meta.usage.tokens'), perMillion / millionTokens);
}
