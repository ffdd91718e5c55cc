// The bounds of every number and list.
export const limits = {
  'limits.search.max-results': 'max_results is 1 to 100.',
  'limits.search.offset': 'offset is zero or more.',
  'limits.search.snippets-per-result': 'content.snippets.max_per_result is one or more.',
  'limits.search.chars-per-snippet': 'content.snippets.max_chars_per_snippet is one or more.',
  'limits.fusion.providers': 'A fusion that names its providers names at least two.',
  'limits.fusion.timeout': 'The fusion timeout_ms is 500 to 30000.',
  'limits.fusion.top-k': 'top_k is 1 to 100.',
  'limits.extract.urls': 'urls holds 1 to 20 items.',
  'limits.extract.max-chars': 'content.max_chars is 100 to 100000.',
  'limits.extract.excerpts-per-url': 'content.excerpts.max_per_url is 1 to 20.',
  'limits.extract.chars-per-excerpt': 'content.excerpts.max_chars_per_excerpt is one or more.',
  'limits.extract.max-age-hours': 'max_age_hours is 0 to 720.',
  'limits.extract.timeout': 'timeout_ms is 1000 to 90000.',
  'limits.transcription.keyterms': 'keyterms holds at least one item.',
} as const;
