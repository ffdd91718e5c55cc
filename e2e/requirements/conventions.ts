// Conventions of the whole API: bodies, times and the names of providers.
import type { Requirement } from '../requirement.ts';

export const conventions = [
  {
    id: 'conventions.answers-are-json',
    says: 'Every answer of the API is JSON and has the content type of JSON.',
  },
  {
    id: 'conventions.timestamps',
    says: 'Every timestamp is an ISO 8601 date-time.',
  },
  {
    id: 'conventions.neutral-names',
    says: 'A provider is named by its neutral id; the name of a vendor is refused.',
  },
  {
    id: 'conventions.search-providers',
    says: 'A search accepts engine_a to engine_k, auto or fusion as provider, and nothing else.',
  },
  {
    id: 'conventions.extract-providers',
    says: 'An extraction accepts engines a, b, c and e to j, or auto, and nothing else.',
  },
  {
    id: 'conventions.transcription-providers',
    says: 'A transcription accepts stt_a, stt_b, stt_c or auto, and nothing else.',
  },
  {
    id: 'conventions.eleven-engines-search',
    says: 'Each of the eleven engines can serve a search.',
  },
  {
    id: 'conventions.nine-engines-extract',
    says: 'Each of the nine extraction engines can serve an extraction.',
  },
  {
    id: 'conventions.three-services-transcribe',
    says: 'Each of the three speech services can finish a transcription.',
  },
  {
    id: 'conventions.one-key-for-all',
    says: 'The same key is valid for search, extraction and transcription.',
  },
  {
    id: 'conventions.one-bill-for-all',
    says: 'Search, extraction and transcription are paid from the same balance.',
  },
] as const satisfies readonly Requirement[];
