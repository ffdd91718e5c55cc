// Golden prices: every rate once more by hand, so that no price changes or vanishes unseen.
import { expect, test } from 'bun:test';
import { proves } from '../../e2e/verifies.ts';
import { product_names } from '../src/domain/prices.ts';
import { list_prices } from '../src/providers/list-prices.ts';
import { providers } from '../src/providers/index.ts';

/** In US dollars, as the vendors publish them. A new rate is added here by hand, never copied. */
const golden: Record<string, number> = {
  'engine_a search instant': 0.004,
  'engine_a search lite': 0.004,
  'engine_a search fast': 0.007,
  'engine_a search auto': 0.007,
  'engine_a search deep-lite': 0.012,
  'engine_a search deep': 0.012,
  'engine_a search deep-reasoning': 0.015,
  'engine_a search result_above_10': 0.001,
  'engine_a search summary': 0.001,
  'engine_a search subpage': 0.001,
  'engine_a extract text': 0.001,
  'engine_a extract highlights': 0.001,
  'engine_a extract summary': 0.001,
  'engine_b search turbo': 0.001,
  'engine_b search fast': 0.001,
  'engine_b search basic': 0.005,
  'engine_b search advanced': 0.005,
  'engine_b search result_above_10': 0.001,
  'engine_b extract page': 0.001,
  'engine_b extract full_content': 0,
  'engine_c search ultra-fast': 0.008,
  'engine_c search fast': 0.008,
  'engine_c search basic': 0.008,
  'engine_c search advanced': 0.016,
  'engine_c search credit': 0.008,
  'engine_c extract page': 0.0016,
  'engine_c extract advanced_page': 0.0032,
  'engine_d search request': 0.005,
  'engine_e search credit': 0.001,
  'engine_e extract credit': 0.001,
  'engine_f search credit': 0.00099,
  'engine_f extract credit': 0.00099,
  'engine_g search standard': 0.005,
  'engine_g search deep': 0.05,
  'engine_g search standard_answer': 0.006,
  'engine_g search deep_answer': 0.055,
  'engine_g extract page': 0.001,
  'engine_g extract rendered': 0.005,
  'engine_h search web': 0.0015,
  'engine_h search news': 0.0015,
  'engine_h search all': 0.05,
  'engine_h search proprietary': 0.05,
  'engine_h extract page': 0.001,
  'engine_h extract summary': 0.001,
  'engine_i search ten_results': 0.0005,
  'engine_i search ten_from_bing': 0.0015,
  'engine_i search ten_news': 0.0025,
  'engine_i search with_pages': 0.1,
  'engine_i search million_tokens': 0.05,
  'engine_i extract page': 0.0005,
  'engine_i extract page_at_most': 0.01,
  'engine_i extract million_tokens': 0.05,
  'engine_j search search': 0.005,
  'engine_j search full_page': 0.001,
  'engine_j extract page': 0.001,
  'engine_k search web': 0.005,
  'engine_k search people': 0.005,
  'engine_k search fast': 0.001,
  'stt_a transcribe universal-3-5-pro': 0.21,
  'stt_a transcribe universal-3-pro': 0.21,
  'stt_a transcribe universal-2': 0.15,
  'stt_a transcribe diarize': 0.02,
  'stt_a transcribe keyterms': 0.05,
  'stt_b transcribe nova-3': 0.258,
  'stt_b transcribe nova-3 multilingual': 0.312,
  'stt_b transcribe nova-2': 0.258,
  'stt_b transcribe nova': 0.258,
  'stt_b transcribe whisper': 0.288,
  'stt_b transcribe enhanced': 0.87,
  'stt_b transcribe base': 0.75,
  'stt_b transcribe diarize': 0,
  'stt_b transcribe keyterms': 0.08,
  'stt_c transcribe scribe_v2': 0.22,
  'stt_c transcribe diarize': 0,
  'stt_c transcribe keyterms': 0.05,
};

/** What costs nothing on purpose. A zero anywhere else is a mistake. */
const free: readonly string[] = [
  'engine_b extract full_content',
  'stt_b transcribe diarize',
  'stt_c transcribe diarize',
];

const listed = Object.entries(list_prices).flatMap(([provider, products]) =>
  Object.entries(products).flatMap(([product, rates]) =>
    Object.entries(rates).map(([name, rate]) => ({
      name: `${provider} ${product} ${name}`,
      micro_usd: rate,
    })),
  ),
);

test('every listed rate has its golden figure, and every golden figure is listed', () => {
  proves('money.price.golden');
  expect(listed.map(({ name }) => name).toSorted()).toEqual(Object.keys(golden).toSorted());
});

test.each(listed)('$name costs what the vendor says', ({ name, micro_usd }) => {
  expect(micro_usd).toBe(Math.round((golden[name] ?? NaN) * 1e6));
});

test('rates are whole micro-dollars, and only what is free on purpose is zero', () => {
  proves('money.price.zero-explicit');
  for (const { name, micro_usd } of listed) {
    expect([name, Number.isSafeInteger(micro_usd) && micro_usd >= 0]).toEqual([name, true]);
    expect([name, micro_usd === 0]).toEqual([name, free.includes(name)]);
  }
});

test('every product of every provider has prices', () => {
  const unpriced = Object.values(providers).flatMap((provider) =>
    product_names
      .filter((product) => product in provider && !list_prices[provider.id]?.[product])
      .map((product) => `${provider.id} ${product}`),
  );
  expect(unpriced).toEqual([]);
});
