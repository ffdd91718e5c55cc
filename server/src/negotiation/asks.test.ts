// What negotiation grants is an ask only when every value is what adapters expect.
import { expect, test } from 'bun:test';
import { ExtractRequest, SearchRequest, TranscriptionRequest } from '@trivium/contract';
import { extractAsks, paramsOf, searchAsk, searchAsks, transcribeAsks } from './asks.ts';

const plain = { query: 'solar', max_results: 5 };

test('granted parameters of the right kind are an ask', () => {
  const granted = { ...plain, include_domains: ['a.example'], 'content.full_text': true };
  expect(searchAsk(granted)).toBe(granted);
});

test.each([
  ['a value of another kind', { ...plain, max_results: '5' }],
  ['a list with another kind', { ...plain, include_domains: [1] }],
  ['a parameter of another tool', { ...plain, keyterms: ['grid'] }],
  ['no query', { max_results: 5 }],
])('%s is a bug of the gateway', (_name, granted) => {
  expect(() => searchAsk(granted)).toThrow('the granted parameters are not an ask');
});

test('every parameter is read from its place in the request', () => {
  const search = SearchRequest.parse({
    query: 'solar',
    mode: 'fast',
    include_domains: ['a.example'],
    exclude_domains: ['b.example'],
    published_after: '2026-01-01',
    published_before: '2026-02-01',
    content: {
      snippets: { max_per_result: 1, max_chars_per_snippet: 100 },
      full_text: true,
      summary: true,
    },
    locale: { country: 'uk', language: 'en' },
    category: 'news',
    safe_search: 'off',
    offset: 1,
  });
  const asks = searchAsks({ ...search, freshness: 'day' });
  expect(Object.keys(asks)).toEqual(paramsOf.search);
  expect(asks['locale.country']).toBe('GB');
  const urls = ['https://a.example/'];
  const extract = ExtractRequest.parse({
    urls,
    query: 'solar',
    content: { max_chars: 100, excerpts: {}, summary: true, format: 'text' },
    include_links: true,
    include_images: true,
    max_age_hours: 1,
    timeout_ms: 5000,
  });
  expect(Object.keys(extractAsks(extract))).toEqual(paramsOf.extract);
  expect(extractAsks(ExtractRequest.parse({ urls }))['content.full_text']).toBe(true);
  const transcribe = TranscriptionRequest.parse({
    audio_url: 'https://a.example/a.mp3',
    language: 'en',
    diarize: true,
    keyterms: ['grid'],
  });
  expect(Object.keys(transcribeAsks(transcribe, 'nova-3'))).toEqual(paramsOf.transcribe);
});
