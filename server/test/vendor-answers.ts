// A search answer in the format of each engine's vendor, with any pages.
import type { SearchEngineId } from '@trivium/contract';
import type { Body } from './request-matrix.ts';

export type Page = [url: string, day?: string];

export function answerOf(id: SearchEngineId, pages: readonly Page[]): Body {
  const results = pages.map(itemOf);
  return lists[id]?.(results) ?? { success: true, results };
}

/** Contains each field that any vendor has. */
const itemOf = ([url, day]: Page) => ({
  ...{ url, link: url, title: 'A page', name: 'A page' },
  ...{ content: 'Tides.', snippet: 'Tides.', description: 'Tides.', excerpts: ['Tides.'] },
  ...{ publishedDate: day, published_date: day, publish_date: day, publication_date: day },
  ...{ date: day, page_age: day },
});

/** Where vendors put their results, unless it is `results`. */
const lists: Partial<Record<SearchEngineId, (results: readonly Body[]) => Body>> = {
  engine_d: (results) => ({ type: 'search', web: { results } }),
  engine_e: (organic) => ({ searchParameters: {}, organic }),
  engine_f: (web) => ({ success: true, data: { web } }),
  engine_i: (data) => ({ data }),
  engine_j: (web) => ({ results: { web } }),
};
