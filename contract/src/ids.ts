// Schemas of provider ids and the formats of identifiers.
import { z } from 'zod';
import {
  extractEngineIds,
  providerIds,
  searchEngineIds,
  transcriberIds,
  unknownProvider,
} from './provider-names.ts';

export const SearchEngineId = providerChoice(searchEngineIds).describe('A search engine.');
export type SearchEngineId = z.infer<typeof SearchEngineId>;

export const ExtractEngineId = providerChoice(extractEngineIds).describe(
  'A provider of page extraction.',
);
export type ExtractEngineId = z.infer<typeof ExtractEngineId>;

export const TranscriberId = providerChoice(transcriberIds).describe(
  'A provider of transcription.',
);
export type TranscriberId = z.infer<typeof TranscriberId>;

export const ProviderId = providerChoice(providerIds).describe('Any provider.');
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

/** One of several ids. For a vendor's name, or one close to it, the error says the id. */
export function providerChoice<const Ids extends readonly string[]>(ids: Ids) {
  return z.enum(ids, { error: ({ input }) => unknownProvider(input, ids) });
}
