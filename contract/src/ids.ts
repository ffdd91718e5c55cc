// Provider ids and the formats of identifiers.
import { z } from 'zod';

export const searchEngineIds = [
  'engine_a',
  'engine_b',
  'engine_c',
  'engine_d',
  'engine_e',
  'engine_f',
  'engine_g',
  'engine_h',
  'engine_i',
  'engine_j',
  'engine_k',
] as const;

/** In the order in which `auto` tries them. */
export const extractEngineIds = [
  'engine_a',
  'engine_c',
  'engine_b',
  'engine_e',
  'engine_f',
  'engine_g',
  'engine_h',
  'engine_i',
  'engine_j',
] as const;

export const transcriberIds = ['stt_a', 'stt_b', 'stt_c'] as const;

export const providerIds = [...searchEngineIds, ...transcriberIds] as const;

export const SearchEngineId = z.enum(searchEngineIds);
export type SearchEngineId = z.infer<typeof SearchEngineId>;

export const ExtractEngineId = z.enum(extractEngineIds);
export type ExtractEngineId = z.infer<typeof ExtractEngineId>;

export const TranscriberId = z.enum(transcriberIds);
export type TranscriberId = z.infer<typeof TranscriberId>;

export const ProviderId = z.enum(providerIds);
export type ProviderId = z.infer<typeof ProviderId>;

export const JobId = z.string().regex(/^job_[0-9a-f-]{36}$/, {
  error: 'Must be a job id: job_ and 36 lower-case hexadecimal digits or hyphens.',
});

export const SearchId = z
  .string()
  .regex(/^srch_[0-9a-f]{32}$/, { error: 'Must be a search id: srch_ and 32 hexadecimal digits.' });

export const ExtractionId = z.string().regex(/^ext_[0-9a-f]{32}$/, {
  error: 'Must be an extraction id: ext_ and 32 hexadecimal digits.',
});

export const ResultId = z
  .string()
  .regex(/^res_[0-9a-f]{16}$/, { error: 'Must be a result id: res_ and 16 hexadecimal digits.' });

export const ApiKey = z.string().regex(/^sk_live_[A-Za-z0-9_-]{43}$/, {
  error: 'Must be an API key: sk_live_ and 43 URL-safe base64 characters.',
});
