// The documented shapes of answers, defined independently of the contract that they verify.
import { z } from 'zod';

export const Warning = z.strictObject({
  code: z.enum(['param_ignored', 'param_approximated', 'results_post_filtered']),
  param: z.string().optional(),
  message: z.string().min(1),
});

const SearchResult = z.strictObject({
  id: z.string(),
  url: z.string(),
  title: z.string().nullable(),
  snippets: z.array(z.string()),
  full_text: z.string().optional(),
  summary: z.string().optional(),
  score: z.number().optional(),
  score_synthesized: z.boolean(),
  published_date: z.string().optional(),
  author: z.string().optional(),
  raw: z.unknown(),
});

export const SearchAnswer = z.strictObject({
  id: z.string().startsWith('srch_'),
  provider: z.string(),
  results: z.array(SearchResult),
  warnings: z.array(Warning),
  usage: z.strictObject({ cost_usd: z.number(), credits: z.number() }),
  latency_ms: z.number(),
});

const ExtractResult = z.strictObject({
  url: z.string(),
  final_url: z.string().optional(),
  title: z.string().optional(),
  content: z.string().optional(),
  excerpts: z.array(z.string()).optional(),
  summary: z.string().optional(),
  published_date: z.string().optional(),
  author: z.string().optional(),
  links: z.array(z.string()).optional(),
  images: z.array(z.string()).optional(),
  raw: z.unknown(),
});

export const ExtractAnswer = z.strictObject({
  id: z.string().startsWith('ext_'),
  provider: z.string(),
  results: z.array(ExtractResult),
  failed: z.array(z.strictObject({ url: z.string(), error: z.string().min(1) })),
  warnings: z.array(Warning),
  usage: z.strictObject({ cost_usd: z.number(), credits: z.number() }),
  latency_ms: z.number(),
});

export const ErrorAnswer = z.strictObject({
  error: z.strictObject({
    type: z.enum([
      'unauthorized',
      'invalid_request',
      'provider_not_available',
      'provider_not_configured',
      'provider_error',
      'not_found',
      'insufficient_credits',
    ]),
    message: z.string().regex(/\w+ \w+/),
    detail: z.unknown().optional(),
  }),
});

export const InvalidRequest = ErrorAnswer.extend({
  error: ErrorAnswer.shape.error.extend({
    type: z.literal('invalid_request'),
    detail: z.strictObject({
      issues: z
        .array(
          z.strictObject({ path: z.string(), code: z.string().min(1), message: z.string().min(1) }),
        )
        .min(1),
    }),
  }),
});
