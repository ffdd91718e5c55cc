// The warning: how an answer says that a request was not honoured exactly.
export const warnings = {
  'warnings.shape': 'A warning has a code, a message and an optional param.',
  'warnings.codes': 'A search or an extraction warns with one of three codes and no other.',
  'warnings.param-names-the-field':
    'The param of a warning is the path of the request field it is about.',
  'warnings.param-ignored':
    'A parameter that the provider does not support is dropped and named in a param_ignored.',
  'warnings.param-approximated':
    'A parameter that is only emulated is named in a param_approximated.',
  'warnings.results-post-filtered':
    'Results taken out for a filter the provider lacks give a results_post_filtered.',
  'warnings.fusion-member-dropped':
    'A fusion member that was dropped gives a results_post_filtered.',
  'warnings.empty-when-exact':
    'The list of warnings is present and empty when everything was honoured exactly.',
  'warnings.on-extract': 'An extraction carries warnings of the same shape.',
} as const;
