// Fusion: several engines, one list.
export const searchFusion = {
  'fusion.providers.known-engines':
    'The members of a fusion are engines; anything else among them is refused.',
  'fusion.providers.default-panel':
    'The panel is engines a, b, j and k unless the request names another.',
  'fusion.providers.intersected': 'The default panel is reduced to the configured engines.',
  'fusion.providers.named': 'A panel that the request names is the one that runs.',
  'fusion.timeout.integer': 'A fusion timeout_ms that is not a whole number is refused.',
  'fusion.timeout.default': 'A member has ten seconds unless the request says otherwise.',
  'fusion.timeout.retried-once': 'A member still running at its deadline is called once more.',
  'fusion.timeout.dropped':
    'A member that is late twice is dropped with a warning, and the others answer.',
  'fusion.top-k.integer': 'A top_k that is not a whole number is refused.',
  'fusion.top-k.default': 'The top three of every member stay unless the request says otherwise.',
  'fusion.top-k.always-kept': 'The first top_k results of every member are always kept.',
  'fusion.top-k.deeper-needs-two':
    'A deeper result stays only if at least two engines returned it.',
  'fusion.top-k.full-union': 'With a top_k of ten or more and ten results each, nothing is lost.',
  'fusion.max-results.sizes-members':
    'max_results sizes the list of each member, not the merged one.',
  'fusion.fans-out': 'Every member of the panel is called.',
  'fusion.merges-by-consensus': 'A page that several members returned is one result.',
  'fusion.cost.default-panel': 'A fusion with the default panel costs about two cents.',
  'fusion.accepts-only-known-keys': 'An unknown key in provider_options.fusion is refused.',
} as const;
