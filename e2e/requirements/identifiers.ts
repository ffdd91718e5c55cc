// The shapes of the ids that a client may rely on.
import type { Requirement } from '../requirement.ts';

export const identifiers = [
  {
    id: 'identifiers.job-shape',
    says: 'A job id is job_ and 36 characters, each a lower-case hex digit or a dash.',
  },
  { id: 'identifiers.search-prefix', says: 'The id of a search starts with srch_.' },
  {
    id: 'identifiers.search-result-stable',
    says: 'Within one search an id belongs to one URL and a URL to one id.',
  },
  {
    id: 'identifiers.extraction-prefix',
    says: 'The id of an extraction starts with ext_.',
  },
] as const satisfies readonly Requirement[];
