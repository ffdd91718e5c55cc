// The answer to a search, field by field.
export const searchResponse = {
  'search-response.id': 'The answer has the id of the search.',
  'search-response.provider': 'The answer names the engine that served it.',
  'search-response.provider-resolved-from-auto':
    'With auto the answer names the engine that was picked.',
  'search-response.provider-fusion': 'With fusion the answer names fusion.',
  'search-response.results': 'The answer lists the results, also when there are none.',
  'search-response.warnings': 'The answer always has a list of warnings.',
  'search-response.usage': 'The answer always has its usage.',
  'search-response.latency': 'The answer says how many milliseconds it took.',
  'search-response.latency-fusion': 'With fusion the latency is about that of the slowest member.',
  'search-response.nothing-else': 'The answer and its results have only the documented fields.',
  'search-result.url': 'Every result has the URL as the engine gave it.',
  'search-result.title': 'Every result has a title, or null.',
  'search-result.snippets': 'Every result has a list of snippets.',
  'search-result.snippets-from-every-engine': 'Every engine fills the snippets.',
  'search-result.snippets-engine-a': 'The snippets of engine_a are its highlights.',
  'search-result.snippets-engine-b': 'The snippets of engine_b are its excerpts.',
  'search-result.snippets-engine-c': 'The snippet of engine_c is its content.',
  'search-result.snippets-engine-d': 'The snippets of engine_d are its descriptions.',
  'search-result.snippets-engine-e': 'The snippets of engine_e are its snippets.',
  'search-result.full-text': 'full_text is present only if it was requested and the engine has it.',
  'search-result.summary': 'summary is present only if it was requested and the engine has it.',
  'search-result.score-native':
    'The score of engines a, c and h is their own when their answer has one.',
  'search-result.score-rank-derived': 'The score of the other engines follows from the rank.',
  'search-result.score-fusion':
    'The score of a fused page is the number of engines that returned it.',
  'search-result.score-synthesized':
    'score_synthesized is true when we made the score, false when the engine did.',
  'search-result.published-date':
    'published_date is an ISO 8601 date, left out when it is not known.',
  'search-result.author': 'author is left out when it is not known.',
  'search-result.raw-verbatim': 'raw is the result object of the engine, untouched.',
  'search-result.raw-always': 'Every result has raw.',
  'search-result.raw-fusion':
    'raw of a fused page holds the object of every engine that returned it, by engine.',
} as const;
