// The answer to a search, field by field.
import type { Requirement } from '../requirement.ts';

export const searchResponse = [
  { id: 'search-response.id', says: 'The answer has the id of the search.' },
  { id: 'search-response.provider', says: 'The answer names the engine that served it.' },
  {
    id: 'search-response.provider-resolved-from-auto',
    says: 'With auto the answer names the engine that was picked.',
  },
  {
    id: 'search-response.provider-fusion',
    says: 'With fusion the answer names fusion.',
  },
  {
    id: 'search-response.results',
    says: 'The answer lists the results, also when there are none.',
  },
  { id: 'search-response.warnings', says: 'The answer always has a list of warnings.' },
  { id: 'search-response.usage', says: 'The answer always has its usage.' },
  { id: 'search-response.latency', says: 'The answer says how many milliseconds it took.' },
  {
    id: 'search-response.latency-fusion',
    says: 'With fusion the latency is about that of the slowest member.',
  },
  {
    id: 'search-response.nothing-else',
    says: 'The answer and its results have only the documented fields.',
  },
  { id: 'search-result.url', says: 'Every result has the URL as the engine gave it.' },
  { id: 'search-result.title', says: 'Every result has a title, or null.' },
  { id: 'search-result.snippets', says: 'Every result has a list of snippets.' },
  {
    id: 'search-result.snippets-from-every-engine',
    says: 'Every engine fills the snippets.',
  },
  { id: 'search-result.snippets-engine-a', says: 'The snippets of engine_a are its highlights.' },
  {
    id: 'search-result.snippets-engine-b',
    says: 'The snippets of engine_b are its excerpts.',
  },
  {
    id: 'search-result.snippets-engine-c',
    says: 'The snippet of engine_c is its content.',
  },
  {
    id: 'search-result.snippets-engine-d',
    says: 'The snippets of engine_d are its descriptions.',
  },
  {
    id: 'search-result.snippets-engine-e',
    says: 'The snippets of engine_e are its snippets.',
  },
  {
    id: 'search-result.full-text',
    says: 'full_text is present only if it was requested and the engine has it.',
  },
  {
    id: 'search-result.summary',
    says: 'summary is present only if it was requested and the engine has it.',
  },
  {
    id: 'search-result.score-native',
    says: 'The score of engines a, c and h is their own when their answer has one.',
  },
  {
    id: 'search-result.score-rank-derived',
    says: 'The score of the other engines follows from the rank.',
  },
  {
    id: 'search-result.score-fusion',
    says: 'The score of a fused page is the number of engines that returned it.',
  },
  {
    id: 'search-result.score-synthesized',
    says: 'score_synthesized is true when we made the score, false when the engine did.',
  },
  {
    id: 'search-result.published-date',
    says: 'published_date is an ISO 8601 date, left out when it is not known.',
  },
  { id: 'search-result.author', says: 'author is left out when it is not known.' },
  { id: 'search-result.raw-verbatim', says: 'raw is the result object of the engine, untouched.' },
  { id: 'search-result.raw-always', says: 'Every result has raw.' },
  {
    id: 'search-result.raw-fusion',
    says: 'raw of a fused page holds the object of every engine that returned it, by engine.',
  },
] as const satisfies readonly Requirement[];
