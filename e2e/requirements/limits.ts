// The bounds of every number and list.
import type { Requirement } from '../requirement.ts';

export const limits = [
  { id: 'limits.search.max-results', says: 'max_results is 1 to 100.' },
  { id: 'limits.search.offset', says: 'offset is zero or more.' },
  {
    id: 'limits.search.snippets-per-result',
    says: 'content.snippets.max_per_result is one or more.',
  },
  {
    id: 'limits.search.chars-per-snippet',
    says: 'content.snippets.max_chars_per_snippet is one or more.',
  },
  { id: 'limits.fusion.providers', says: 'A fusion that names its providers names at least two.' },
  { id: 'limits.fusion.timeout', says: 'The fusion timeout_ms is 500 to 30000.' },
  { id: 'limits.fusion.top-k', says: 'top_k is 1 to 100.' },
  { id: 'limits.extract.urls', says: 'urls holds 1 to 20 items.' },
  { id: 'limits.extract.max-chars', says: 'content.max_chars is 100 to 100000.' },
  { id: 'limits.extract.excerpts-per-url', says: 'content.excerpts.max_per_url is 1 to 20.' },
  {
    id: 'limits.extract.chars-per-excerpt',
    says: 'content.excerpts.max_chars_per_excerpt is one or more.',
  },
  { id: 'limits.extract.max-age-hours', says: 'max_age_hours is 0 to 720.' },
  { id: 'limits.extract.timeout', says: 'timeout_ms is 1000 to 90000.' },
  { id: 'limits.transcription.keyterms', says: 'keyterms holds at least one item.' },
] as const satisfies readonly Requirement[];
