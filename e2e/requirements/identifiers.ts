// The shapes of the ids that a client may rely on.
export const identifiers = {
  'identifiers.job-shape':
    'A job id is job_ and 36 characters, each a lower-case hex digit or a dash.',
  'identifiers.search-prefix': 'The id of a search starts with srch_.',
  'identifiers.search-result-stable':
    'Within one search an id belongs to one URL and a URL to one id.',
  'identifiers.extraction-prefix': 'The id of an extraction starts with ext_.',
} as const;
