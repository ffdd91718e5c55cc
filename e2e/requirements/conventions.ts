// Conventions of the whole API: bodies, times and the names of providers.
export const conventions = {
  'conventions.answers-are-json':
    'Every answer of the API is JSON and has the content type of JSON.',
  'conventions.timestamps': 'Every timestamp is an ISO 8601 date-time.',
  'conventions.neutral-names':
    'A provider is named by its neutral id; the name of a vendor is refused.',
  'conventions.search-providers':
    'A search accepts engine_a to engine_k, auto or fusion as provider, and nothing else.',
  'conventions.extract-providers':
    'An extraction accepts engines a, b, c and e to j, or auto, and nothing else.',
  'conventions.transcription-providers':
    'A transcription accepts stt_a, stt_b, stt_c or auto, and nothing else.',
  'conventions.eleven-engines-search': 'Each of the eleven engines can serve a search.',
  'conventions.nine-engines-extract':
    'Each of the nine extraction engines can serve an extraction.',
  'conventions.three-services-transcribe':
    'Each of the three speech services can finish a transcription.',
  'conventions.one-key-for-all': 'The same key is valid for search, extraction and transcription.',
  'conventions.one-bill-for-all':
    'Search, extraction and transcription are paid from the same balance.',
} as const;
