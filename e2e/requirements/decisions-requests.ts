// What was decided about requests that the interface leaves open.
import type { Requirement } from '../requirement.ts';

export const decisionsRequests = [
  {
    id: 'requests.freshness-with-dates',
    says: 'freshness together with a publication date gives a 400.',
  },
  {
    id: 'requests.dates-crossed',
    says: 'published_after later than published_before gives a 400.',
  },
  { id: 'requests.dates-impossible', says: 'A date that does not exist gives a 400.' },
  {
    id: 'requests.issues.shape',
    says: 'detail is a list of issues, each with path, code and message.',
  },
  {
    id: 'requests.issues.dotted-path',
    says: 'The path of an issue is the dotted name of the field.',
  },
  { id: 'requests.issues.all-at-once', says: 'All errors of a request are reported together.' },
  {
    id: 'requests.issues.strict',
    says: 'A strict refusal has one issue for each warning, with the code of the warning.',
  },
  {
    id: 'requests.strict.same-as-warnings',
    says: 'strict refuses exactly what would warn before the provider is called.',
  },
  {
    id: 'requests.strict.post-filter',
    says: 'strict refuses a request that would need a post-filter.',
  },
  {
    id: 'requests.strict.never-calls',
    says: 'A strict refusal happens before the provider is called.',
  },
  {
    id: 'requests.post-filter.counts',
    says: 'A results_post_filtered says how many results of how many were removed.',
  },
  {
    id: 'requests.post-filter.undated-kept',
    says: 'A date filter of the gateway keeps pages without a date.',
  },
  {
    id: 'requests.post-filter.undated-counted',
    says: 'The message says how many undated pages were kept.',
  },
  {
    id: 'requests.neutral.no-warning',
    says: 'A value that asks for nothing never warns, and strict accepts it.',
  },
  {
    id: 'requests.neutral.everywhere',
    says: 'On every engine a value that asks for nothing never warns.',
  },
  {
    id: 'requests.neutral.defaults',
    says: 'A default that the caller did not write never warns.',
  },
  {
    id: 'requests.snippets.exact',
    says: 'The caps on snippets are honoured exactly by every engine, without a warning.',
  },
  {
    id: 'requests.snippets.exact-engine-a',
    says: 'The caps on snippets are honoured exactly on engine_a, without a warning.',
  },
  {
    id: 'requests.max-chars.exact',
    says: 'content.max_chars is cut at the exact length, without a warning, also under strict.',
  },
  {
    id: 'requests.format.default',
    says: 'content.format is markdown unless the request says text.',
  },
  {
    id: 'requests.format.text-ignored',
    says: 'text from an engine with markdown only is markdown and a param_ignored.',
  },
  {
    id: 'requests.category.nearest-means',
    says: 'The approximation is the nearest means of the vendor, if it has one.',
  },
  {
    id: 'requests.category.hint',
    says: 'Otherwise the approximation is one hint added to the query.',
  },
  {
    id: 'requests.query-too-long.cut',
    says: 'A query over the limit of the engine is cut at a word and warned about.',
  },
  {
    id: 'requests.query-too-long.strict',
    says: 'A query over the limit of the engine gives a 400 under strict.',
  },
  {
    id: 'requests.options.deep-merge',
    says: 'Options are merged deeply; arrays and scalars are replaced.',
  },
  {
    id: 'requests.options.targets-refused',
    says: 'Options that name the pages of an extraction are refused with their path.',
  },
  {
    id: 'requests.options.null-in-body',
    says: 'A null among the options is sent as null in a JSON body.',
  },
  {
    id: 'requests.options.null-in-query',
    says: 'A null among the options removes the parameter from a query string.',
  },
  {
    id: 'requests.options.prototype-keys',
    says: 'The keys __proto__, constructor and prototype are refused among options.',
  },
  {
    id: 'requests.options.transport-stt-a',
    says: 'The transport keys of stt_a give a 400.',
  },
  {
    id: 'requests.options.transport-stt-b',
    says: 'The transport keys of stt_b give a 400.',
  },
  {
    id: 'requests.options.transport-stt-c',
    says: 'The transport keys of stt_c give a 400.',
  },
  {
    id: 'requests.options.fusion-ignored',
    says: 'provider_options.fusion is ignored when the provider is not fusion.',
  },
  {
    id: 'requests.audio-url.private-host',
    says: 'An audio_url on a literal private or loopback address is refused.',
  },
  {
    id: 'requests.audio-url.length',
    says: 'An audio_url of more than 8192 characters is refused.',
  },
  {
    id: 'requests.audio-url.sandbox-host',
    says: 'In sandbox mode an audio_url on the sandbox itself is accepted.',
  },
  {
    id: 'requests.audio-url.as-checked',
    says: 'An audio_url with a back slash, a control character or white space inside gives a 400.',
  },
  {
    id: 'requests.urls.as-checked',
    says: 'A URL is sent as a browser spells it; back slashes and white space inside give a 400.',
  },
  {
    id: 'requests.urls.too-long',
    says: 'A URL that the provider cannot accept is in failed with the reason; others are fetched.',
  },
  {
    id: 'requests.domains.bounds',
    says: 'At most 1,200 domains of at most 2,000 characters are taken; more gives a 400.',
  },
  {
    id: 'requests.domains.no-host',
    says: 'A domain that cannot be a host on any engine gives a 400 with its path.',
  },
  {
    id: 'requests.domains.as-written',
    says: 'Wildcards, paths, suffixes and www. have the same meaning on every engine.',
  },
  {
    id: 'requests.domains.international',
    says: 'International names match their punycode form, and the other way round.',
  },
  { id: 'requests.blank', says: 'A query or keyterm of white space gives a 400.' },
  { id: 'requests.not-utf8', says: 'A body with bytes that are not UTF-8 gives a 400.' },
  {
    id: 'requests.issues.bounded',
    says: 'At most 50 errors are listed, each path cut to 200 characters, and the rest is counted.',
  },
  { id: 'requests.urls.http-only', says: 'A URL to extract is http or https, else it is refused.' },
  {
    id: 'requests.urls.no-credentials',
    says: 'A URL to extract with a user name or a password in it is refused.',
  },
  {
    id: 'requests.urls.duplicates',
    says: 'A URL that is listed twice is fetched once and answered twice.',
  },
  {
    id: 'requests.urls.all-accounted',
    says: 'results and failed together are the urls, each list in their order.',
  },
  {
    id: 'requests.empty-page',
    says: 'A page without content, or a bot wall, is in failed with a reason.',
  },
] as const satisfies readonly Requirement[];
