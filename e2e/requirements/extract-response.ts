// The answer to an extraction, field by field.
export const extractResponse = {
  'extract-response.id': 'The answer has the id of the extraction.',
  'extract-response.provider':
    'The answer names the engine that served it, also when auto was asked.',
  'extract-response.results': 'There is one result for every URL that was extracted.',
  'extract-response.failed':
    'A URL that could not be fetched is in failed with its URL and a reason.',
  'extract-response.failed-reason': 'The reason in failed is the one the provider gave.',
  'extract-response.failed-empty':
    'The failed list is present and empty when every page was fetched.',
  'extract-response.partial-is-200':
    'A partial failure is still a 200 with the other pages in results.',
  'extract-response.all-failed-is-200':
    'When no URL could be fetched, the answer is a 200 with all of them in failed.',
  'extract-response.warnings': 'The answer always has a list of warnings.',
  'extract-response.usage': 'The answer always has its usage.',
  'extract-response.latency': 'The answer says how many milliseconds it took.',
  'extract-result.url': 'url is the URL as it was asked for.',
  'extract-result.final-url': 'final_url is where redirects ended, if the provider reports it.',
  'extract-result.title': 'title is the title of the page.',
  'extract-result.content': 'content is the page in the format asked for.',
  'extract-result.excerpts': 'excerpts are present when they were requested.',
  'extract-result.summary': 'summary is present when it was requested and the provider has it.',
  'extract-result.published-date':
    'published_date is an ISO 8601 date, left out when it is not known.',
  'extract-result.author': 'author is left out when it is not known.',
  'extract-result.links': 'links are present when they were requested and the provider has them.',
  'extract-result.images': 'images are present when they were requested and the provider has them.',
  'extract-result.raw': 'raw is the result object of the provider, untouched, on every result.',
} as const;
