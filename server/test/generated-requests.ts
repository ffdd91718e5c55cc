// Any valid request, for property tests.
import fc from 'fast-check';
import { ExtractRequest, SearchRequest } from '@trivium/contract';
import type { Asks } from '../src/negotiation/support.ts';

const domains = fc.array(
  fc.constantFrom(
    'a.example',
    'https://www.b.example/blog',
    '*.c.example',
    'd.example/docs/x',
    'gov',
    '.gov',
    'www.e.example',
    'münchen.example',
    'f.example:8080',
  ),
  { maxLength: 25 },
);
const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2026-11-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

const dates = fc.oneof(
  fc.record({ freshness: maybe(fc.constantFrom('day', 'week', 'month', 'year')) }),
  fc.record({ published_after: maybe(day) }),
  fc.record({ published_before: maybe(day) }),
  fc.tuple(day, day).map((days) => {
    const [publishedAfter, publishedBefore] = days.toSorted();
    return { published_after: publishedAfter, published_before: publishedBefore };
  }),
);

const words = fc
  .array(fc.constantFrom('tidal', 'turbine', 'pilot', 'grid', 'wäre', '水力'), {
    minLength: 1,
    maxLength: 300,
  })
  .map((list) => list.join(' '));

type Body = Record<string, unknown>;

/** As a caller writes it. */
export const searchBodies: fc.Arbitrary<Body> = fc
  .tuple(
    fc.record({
      query: words,
      max_results: maybe(fc.integer({ min: 1, max: 100 })),
      mode: maybe(fc.constantFrom('instant', 'fast', 'balanced', 'deep')),
      include_domains: maybe(domains),
      exclude_domains: maybe(domains),
      content: maybe(
        fc.record({
          full_text: maybe(fc.boolean()),
          summary: maybe(fc.boolean()),
          snippets: maybe(
            fc.record({
              max_per_result: maybe(fc.integer({ min: 1, max: 9 })),
              max_chars_per_snippet: maybe(fc.integer({ min: 1, max: 999 })),
            }),
          ),
        }),
      ),
      locale: maybe(
        fc.record({
          country: maybe(fc.constantFrom('us', 'GB', 'uk', 'de', 'zz')),
          language: maybe(fc.constantFrom('en', 'zh', 'he', 'xx')),
        }),
      ),
      category: maybe(fc.constantFrom('general', 'news', 'company', 'people', 'research')),
      safe_search: maybe(fc.constantFrom('off', 'moderate', 'strict')),
      offset: maybe(fc.integer({ min: 0, max: 300 })),
    }),
    dates,
  )
  .map(([request, when]) => defined({ ...request, ...when }));

export const searchRequests = searchBodies.map((body) => SearchRequest.parse(body));

export const extractBodies: fc.Arbitrary<Body> = fc
  .record({
    urls: fc.array(fc.webUrl(), { minLength: 1, maxLength: 20 }),
    query: maybe(words),
    content: maybe(
      fc.record({
        full_text: maybe(fc.boolean()),
        max_chars: maybe(fc.integer({ min: 100, max: 100_000 })),
        excerpts: maybe(
          fc.record({
            max_per_url: maybe(fc.integer({ min: 1, max: 20 })),
            max_chars_per_excerpt: maybe(fc.integer({ min: 1, max: 5000 })),
          }),
        ),
        summary: maybe(fc.boolean()),
        format: maybe(fc.constantFrom('markdown', 'text')),
      }),
    ),
    include_links: maybe(fc.boolean()),
    include_images: maybe(fc.boolean()),
    max_age_hours: maybe(fc.integer({ min: 0, max: 720 })),
    timeout_ms: maybe(fc.integer({ min: 1000, max: 90_000 })),
  })
  .map(defined);

export const extractRequests = extractBodies.map((body) => ExtractRequest.parse(body));

const languages = fc.constantFrom('en', 'en-GB', 'pt-BR', 'zh-Hant-TW', 'haw');

export const transcriptionBodies: fc.Arbitrary<Body> = fc
  .record({
    audio_url: fc.constant('https://audio.example/a.mp3'),
    language: maybe(languages),
    diarize: maybe(fc.boolean()),
    keyterms: maybe(
      fc.array(fc.constantFrom('HP-77', 'tidal lagoon'), { minLength: 1, maxLength: 60 }),
    ),
    timestamps: maybe(fc.constantFrom('word', 'none')),
  })
  .map(defined);

export const transcriptionAsks: fc.Arbitrary<Asks> = fc
  .record({
    model: fc.constantFrom(
      'universal-3-5-pro',
      'universal-2',
      'nova-3',
      'nova-2',
      'scribe_v2',
      'x',
    ),
    language: maybe(languages),
    diarize: fc.boolean(),
    keyterms: maybe(
      fc.array(fc.constantFrom('HP-77', 'a b c d e f g', '<x>', 'y'.repeat(50)), {
        minLength: 1,
        maxLength: 1100,
      }),
    ),
    timestamps: fc.constantFrom('word', 'none'),
  })
  .map(defined);

/** A field set to undefined is a field not given. */
function defined(value: object): Body {
  return JSON.parse(JSON.stringify(value)) as Body;
}
