// Page extraction: URLs in, cleaned pages out, failed pages listed separately.
import { z } from 'zod';
import { CalendarDate, Usage, Warning } from './common.ts';
import { ExtractEngineId, ExtractionId, providerChoice } from './ids.ts';
import { extractEngineIds } from './provider-names.ts';
import { nativeOptionsFor } from './native-options.ts';
import { NonBlankText } from './text.ts';
import { checkUrl } from './web-url.ts';

const maxExtractUrls = 20;

const PageUrl = z
  .string()
  .superRefine((value, context) => {
    checkUrl(value, { schemes: ['http', 'https'], fragment: true }, context);
  })
  .meta({ format: 'uri' });

// engine_d has no extraction product; the contract still accepts options for it and ignores them.
const optionIds = [...extractEngineIds, 'engine_d'] as const;

const ExtractContent = z.strictObject({
  full_text: z.boolean().default(true).describe('Return the whole page in content.'),
  max_chars: z
    .int()
    .min(100)
    .max(100_000)
    .optional()
    .describe('Truncates the content of each page at exactly this length, with any provider.'),
  excerpts: z
    .strictObject({
      max_per_url: z
        .int()
        .min(1)
        .max(20)
        .optional()
        .describe('The maximum number of excerpts per page.'),
      max_chars_per_excerpt: z
        .int()
        .min(1)
        .optional()
        .describe('The maximum length, in characters.'),
    })
    .optional()
    .describe('Return focused excerpts, with or without the whole page.'),
  summary: z.boolean().optional().describe('Return a summary of each page.'),
  format: z.enum(['markdown', 'text']).default('markdown').describe('The format of content.'),
});

export const ExtractRequest = z
  .strictObject({
    urls: z.array(PageUrl).min(1).max(maxExtractUrls).describe('The pages to extract.'),
    provider: providerChoice([...extractEngineIds, 'auto'])
      .default('auto')
      .describe('A provider, or auto for the first one configured.'),
    query: NonBlankText.optional().describe('What the excerpts and summary should be about.'),
    content: ExtractContent.prefault({}).describe('What to return for each page.'),
    include_links: z.boolean().optional().describe('Return the links of each page.'),
    include_images: z.boolean().optional().describe('Return the images of each page.'),
    max_age_hours: z
      .int()
      .min(0)
      .max(720)
      .optional()
      .describe('Maximum age of a cached copy; 0 asks for a live fetch.'),
    timeout_ms: z.int().min(1000).max(90_000).optional().describe('Time allowed for each page.'),
    strict: z.boolean().default(false).describe('Refuse the request instead of adjusting it.'),
    provider_options: z
      .strictObject(nativeOptionsFor(optionIds))
      .optional()
      .describe('Native options of each provider.'),
  })
  .describe('Pages to extract.');
export type ExtractRequest = z.infer<typeof ExtractRequest>;
export type ExtractRequestInput = z.input<typeof ExtractRequest>;

export const ExtractResult = z
  .object({
    url: z.string().describe('The URL as requested.'),
    final_url: z.string().optional().describe('The URL after redirects.'),
    title: z.string().optional().describe('When known.'),
    content: z.string().optional().describe('The whole page, in the requested format.'),
    excerpts: z.array(z.string()).optional().describe('The parts about the query.'),
    summary: z.string().optional().describe('A summary of the page, if requested.'),
    published_date: CalendarDate.optional().describe('YYYY-MM-DD, when known.'),
    author: z.string().optional().describe('When known.'),
    links: z.array(z.string()).optional().describe('URLs that the page links to, if requested.'),
    images: z.array(z.string()).optional().describe('URLs of images on the page, if requested.'),
    raw: z.unknown().describe('The page as the provider returned it.'),
  })
  .describe('One extracted page.');
export type ExtractResult = z.infer<typeof ExtractResult>;

export const ExtractFailure = z
  .object({
    url: z.string().describe('The URL as requested.'),
    error: z.string().describe('Why the page could not be extracted.'),
  })
  .describe('A page that could not be extracted.');
export type ExtractFailure = z.infer<typeof ExtractFailure>;

export const ExtractResponse = z
  .object({
    id: ExtractionId.describe('The id of this extraction.'),
    provider: ExtractEngineId.describe('The provider that served the request.'),
    results: z.array(ExtractResult).describe('One entry for each extracted page.'),
    failed: z.array(ExtractFailure).describe('One entry for each other page.'),
    warnings: z.array(Warning).describe('How the request was adjusted; empty if it was not.'),
    usage: Usage,
    latency_ms: z.int().min(0).describe('How long it took, in milliseconds.'),
  })
  .describe('The extracted pages.');
export type ExtractResponse = z.infer<typeof ExtractResponse>;
