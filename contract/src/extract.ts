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
    .describe('Maximum length of content, for each page.'),
  excerpts: z
    .strictObject({
      max_per_url: z.int().min(1).max(20).optional(),
      max_chars_per_excerpt: z.int().min(1).optional(),
    })
    .optional()
    .describe('Return focused excerpts, with or without the whole page.'),
  summary: z.boolean().optional().describe('Return a summary of each page.'),
  format: z.enum(['markdown', 'text']).default('markdown'),
});

export const ExtractRequest = z.strictObject({
  urls: z.array(PageUrl).min(1).max(maxExtractUrls),
  provider: providerChoice([...extractEngineIds, 'auto']).default('auto'),
  query: NonBlankText.optional().describe('What the excerpts and summary should be about.'),
  content: ExtractContent.prefault({}),
  include_links: z.boolean().optional(),
  include_images: z.boolean().optional(),
  max_age_hours: z
    .int()
    .min(0)
    .max(720)
    .optional()
    .describe('Maximum age of a cached copy; 0 asks for a live fetch.'),
  timeout_ms: z.int().min(1000).max(90_000).optional().describe('Time allowed for each page.'),
  strict: z.boolean().default(false).describe('Refuse the request rather than adjust it.'),
  provider_options: z.strictObject(nativeOptionsFor(optionIds)).optional(),
});
export type ExtractRequest = z.infer<typeof ExtractRequest>;
export type ExtractRequestInput = z.input<typeof ExtractRequest>;

export const ExtractResult = z.object({
  url: z.string().describe('The URL as requested.'),
  final_url: z.string().optional().describe('The URL after redirects.'),
  title: z.string().optional(),
  content: z.string().optional(),
  excerpts: z.array(z.string()).optional(),
  summary: z.string().optional(),
  published_date: CalendarDate.optional(),
  author: z.string().optional(),
  links: z.array(z.string()).optional(),
  images: z.array(z.string()).optional(),
  raw: z.unknown().describe('The page as the provider returned it.'),
});
export type ExtractResult = z.infer<typeof ExtractResult>;

export const ExtractFailure = z.object({
  url: z.string(),
  error: z.string().describe('Why the page could not be extracted.'),
});
export type ExtractFailure = z.infer<typeof ExtractFailure>;

export const ExtractResponse = z.object({
  id: ExtractionId,
  provider: ExtractEngineId.describe('The provider that served the request.'),
  results: z.array(ExtractResult),
  failed: z.array(ExtractFailure),
  warnings: z.array(Warning),
  usage: Usage,
  latency_ms: z.int().min(0),
});
export type ExtractResponse = z.infer<typeof ExtractResponse>;
