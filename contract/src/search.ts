// Web search: one request shape for every engine and the fusion panel, and the answer they share.
import { z } from 'zod';
import { addKnownFields } from './closest.ts';
import { CalendarDate, isCalendarDate, Usage, Warning } from './common.ts';
import { Domains } from './domain-entry.ts';
import { addFault, alwaysRun, passFaultsOn, truncate, type FaultSink } from './faults.ts';
import { ResultId, SearchEngineId, SearchId, providerChoice } from './ids.ts';
import { searchEngineIds } from './provider-names.ts';
import { nativeOptionsFor } from './native-options.ts';
import { NonBlankText } from './text.ts';

export const defaultMaxResults = 10;
export const defaultFusionTimeoutMs = 10_000;
const defaultFusionTopK = 3;
/** Vendors and typed clients read a position as an integer of 32 bits. */
const maxOffset = 2 ** 31 - 1;
export const defaultFusionPanel = ['engine_a', 'engine_b', 'engine_j', 'engine_k'] as const;

const CountryCode = z
  .string()
  .regex(/^[a-zA-Z]{2}$/, { error: 'Must be a country code of two letters, such as "de".' });
const LanguageCode = z
  .string()
  .regex(/^[a-zA-Z]{2}$/, { error: 'Must be a language code of two letters, such as "en".' });

const SearchContent = z.strictObject({
  snippets: z
    .strictObject({
      max_per_result: z
        .int()
        .min(1)
        .optional()
        .describe('The maximum number of excerpts per result.'),
      max_chars_per_snippet: z
        .int()
        .min(1)
        .optional()
        .describe('The maximum length, in characters.'),
    })
    .optional()
    .describe('Limits on the excerpts of each result.'),
  full_text: z.boolean().optional().describe('Return the whole text of each page.'),
  summary: z.boolean().optional().describe('Return a summary of each page.'),
});

export const FusionOptions = z
  .strictObject({
    providers: z
      .array(SearchEngineId)
      .min(2)
      .max(searchEngineIds.length)
      .superRefine(refuseRepeatedMembers, alwaysRun)
      .meta({ uniqueItems: true })
      .optional()
      .describe('The panel, each engine once.'),
    timeout_ms: z
      .int()
      .min(500)
      .max(30_000)
      .default(defaultFusionTimeoutMs)
      .describe('How long each engine may take, in milliseconds.'),
    top_k: z
      .int()
      .min(1)
      .max(100)
      .default(defaultFusionTopK)
      .describe('How many of the first results of each engine are always kept.'),
  })
  .describe('Used only when provider is fusion.');
export type FusionOptions = z.infer<typeof FusionOptions>;
type FusionOptionsInput = z.input<typeof FusionOptions>;

/**
 * Accepts any value; `checkAcrossFields` validates it if the provider is fusion, which alone uses
 * it.
 */
const FusionIfAsked = z
  .custom<FusionOptionsInput>(() => true)
  .describe('The panel of a fusion, as FusionOptions. Ignored with any other provider.');
/** The same in the API description. */
const fusionOptionsIfAsked = {
  if: objectOf({ provider: { type: 'string', enum: ['fusion'] } }, ['provider']),
  then: objectOf({
    provider_options: objectOf({ fusion: { $ref: '#/components/schemas/FusionOptions' } }),
  }),
};

export const SearchRequest = z
  .strictObject({
    query: NonBlankText.describe('What to search for, in natural language.'),
    provider: providerChoice([...searchEngineIds, 'auto', 'fusion'])
      .default('auto')
      .describe('An engine, auto for the first configured one, or fusion for a panel of engines.'),
    max_results: z
      .int()
      .min(1)
      .max(100)
      .default(defaultMaxResults)
      .describe('The maximum number of results; with fusion, of each engine.'),
    mode: z
      .enum(['instant', 'fast', 'balanced', 'deep'])
      .optional()
      .describe("How much effort to spend; if omitted, the engine's default applies."),
    include_domains: Domains.optional().describe('Only pages from these domains.'),
    exclude_domains: Domains.optional().describe('No pages from these domains.'),
    published_after: CalendarDate.optional().describe('The first day wanted, YYYY-MM-DD.'),
    published_before: CalendarDate.optional().describe('The last day wanted, YYYY-MM-DD.'),
    freshness: z
      .enum(['day', 'week', 'month', 'year'])
      .optional()
      .describe('A window that ends now; not together with published_after or published_before.'),
    content: SearchContent.optional().describe('What to return for each page.'),
    locale: z
      .strictObject({
        country: CountryCode.optional().describe('Where to search from, as ISO 3166-1 alpha-2.'),
        language: LanguageCode.optional().describe('The language of the pages: ISO 639-1.'),
      })
      .optional()
      .describe('Where and in which language to search.'),
    category: z
      .enum(['general', 'news', 'company', 'people', 'research'])
      .optional()
      .describe('The kind of page to look for.'),
    safe_search: z
      .enum(['off', 'moderate', 'strict'])
      .optional()
      .describe('How much adult content to leave out.'),
    offset: z.int().min(0).max(maxOffset).optional().describe('How many results to skip.'),
    strict: z
      .boolean()
      .default(false)
      .describe('Refuse the request instead of adjusting it; not together with fusion.'),
    provider_options: z
      .strictObject({
        ...nativeOptionsFor(searchEngineIds),
        fusion: FusionIfAsked.optional(),
      })
      .optional()
      .describe('Native options of each engine, and the panel of a fusion.'),
  })
  .superRefine(checkAcrossFields, alwaysRun)
  .meta({ description: 'A web search.', ...fusionOptionsIfAsked });
export type SearchRequest = z.infer<typeof SearchRequest>;
export type SearchRequestInput = z.input<typeof SearchRequest>;

export const SearchResult = z
  .object({
    id: ResultId.describe('The same page has the same id.'),
    url: z.string().describe('As the engine returned it.'),
    title: z.string().nullable().describe('Null when the engine reports none.'),
    snippets: z.array(z.string()).describe('Excerpts that match the query.'),
    full_text: z.string().optional().describe('The text of the page, if requested.'),
    summary: z.string().optional().describe('A summary of the page, if requested.'),
    score: z
      .number()
      .optional()
      .describe('Higher is better; with fusion, how many engines returned the page.'),
    score_synthesized: z
      .boolean()
      .describe('True when the engine did not report the score itself.'),
    published_date: CalendarDate.optional().describe('YYYY-MM-DD, when known.'),
    author: z.string().optional().describe('When known.'),
    raw: z.unknown().describe('The result as the engine returned it.'),
  })
  .describe('One page that an engine found.');
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchResponse = z
  .object({
    id: SearchId.describe('The id of this search.'),
    provider: providerChoice([...searchEngineIds, 'fusion']).describe(
      'The engine that served the request, or fusion.',
    ),
    results: z.array(SearchResult).describe('Best first.'),
    warnings: z.array(Warning).describe('How the request was adjusted; empty if it was not.'),
    usage: Usage,
    latency_ms: z.int().min(0).describe('How long it took, in milliseconds.'),
  })
  .describe('The results of a search.');
export type SearchResponse = z.infer<typeof SearchResponse>;

function refuseRepeatedMembers(value: unknown, context: FaultSink): void {
  if (!Array.isArray(value)) return;
  const seen = new Set<unknown>();
  value.forEach((member: unknown, index) => {
    if (seen.has(member)) {
      addFault(
        context,
        [index],
        'duplicate',
        `${truncate(String(member))} is already in the panel.`,
      );
    }
    seen.add(member);
  });
}

/** The fields themselves may be invalid, so each one is checked before it is used. */
function checkAcrossFields(value: unknown, context: FaultSink): void {
  if (typeof value !== 'object' || value === null) return;
  const { freshness, published_after, published_before, strict, provider, provider_options } =
    value as Partial<SearchRequest>;
  const dated = [published_after, published_before].some((date) => date !== undefined);
  if (freshness !== undefined && dated) {
    const message =
      'Cannot be combined with published_after or published_before; use one or the other.';
    addFault(context, ['freshness'], 'mutually_exclusive', message);
  }
  if (isDay(published_after) && isDay(published_before) && published_after > published_before) {
    const message = `Must not be later than published_before, which is ${published_before}.`;
    addFault(context, ['published_after'], 'invalid_range', message);
  }
  if (strict === true && provider === 'fusion') {
    const message = 'Cannot be true with provider fusion; leave it out or name one engine.';
    addFault(context, ['strict'], 'mutually_exclusive', message);
  }
  if (provider === 'fusion' && provider_options?.fusion !== undefined) {
    const { error } = FusionOptions.safeParse(provider_options.fusion, addKnownFields);
    if (error) passFaultsOn(context, ['provider_options', 'fusion'], error);
  }
}

function objectOf(properties: object, required: readonly string[] = []) {
  return { type: 'object', properties, required };
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && isCalendarDate(value);
}
