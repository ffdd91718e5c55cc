// The warning: how an answer says that a request was not honoured exactly.
import type { Requirement } from '../requirement.ts';

export const warnings = [
  { id: 'warnings.shape', says: 'A warning has a code, a message and an optional param.' },
  {
    id: 'warnings.codes',
    says: 'A search or an extraction warns with one of three codes and no other.',
  },
  {
    id: 'warnings.param-names-the-field',
    says: 'The param of a warning is the path of the request field it is about.',
  },
  {
    id: 'warnings.param-ignored',
    says: 'A parameter that the provider does not support is dropped and named in a param_ignored.',
  },
  {
    id: 'warnings.param-approximated',
    says: 'A parameter that is only emulated is named in a param_approximated.',
  },
  {
    id: 'warnings.results-post-filtered',
    says: 'Results taken out for a filter the provider lacks give a results_post_filtered.',
  },
  {
    id: 'warnings.fusion-member-dropped',
    says: 'A fusion member that was dropped gives a results_post_filtered.',
  },
  {
    id: 'warnings.empty-when-exact',
    says: 'The list of warnings is present and empty when everything was honoured exactly.',
  },
  {
    id: 'warnings.on-extract',
    says: 'An extraction carries warnings of the same shape.',
  },
] as const satisfies readonly Requirement[];
