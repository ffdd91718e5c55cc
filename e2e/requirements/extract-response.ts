// The answer to an extraction, field by field.
import type { Requirement } from '../requirement.ts';

export const extractResponse = [
  {
    id: 'extract-response.id',
    says: 'The answer has the id of the extraction.',
  },
  {
    id: 'extract-response.provider',
    says: 'The answer names the engine that served it, also when auto was asked.',
  },
  {
    id: 'extract-response.results',
    says: 'There is one result for every URL that was extracted.',
  },
  {
    id: 'extract-response.failed',
    says: 'A URL that could not be fetched is in failed with its URL and a reason.',
  },
  {
    id: 'extract-response.failed-reason',
    says: 'The reason in failed is the one the provider gave.',
  },
  {
    id: 'extract-response.failed-empty',
    says: 'The failed list is present and empty when every page was fetched.',
  },
  {
    id: 'extract-response.partial-is-200',
    says: 'A partial failure is still a 200 with the other pages in results.',
  },
  {
    id: 'extract-response.all-failed-is-200',
    says: 'When no URL could be fetched, the answer is a 200 with all of them in failed.',
  },
  {
    id: 'extract-response.warnings',
    says: 'The answer always has a list of warnings.',
  },
  { id: 'extract-response.usage', says: 'The answer always has its usage.' },
  {
    id: 'extract-response.latency',
    says: 'The answer says how many milliseconds it took.',
  },
  { id: 'extract-result.url', says: 'url is the URL as it was asked for.' },
  {
    id: 'extract-result.final-url',
    says: 'final_url is where redirects ended, if the provider reports it.',
  },
  { id: 'extract-result.title', says: 'title is the title of the page.' },
  {
    id: 'extract-result.content',
    says: 'content is the page in the format asked for.',
  },
  {
    id: 'extract-result.excerpts',
    says: 'excerpts are present when they were requested.',
  },
  {
    id: 'extract-result.summary',
    says: 'summary is present when it was requested and the provider has it.',
  },
  {
    id: 'extract-result.published-date',
    says: 'published_date is an ISO 8601 date, left out when it is not known.',
  },
  {
    id: 'extract-result.author',
    says: 'author is left out when it is not known.',
  },
  {
    id: 'extract-result.links',
    says: 'links are present when they were requested and the provider has them.',
  },
  {
    id: 'extract-result.images',
    says: 'images are present when they were requested and the provider has them.',
  },
  {
    id: 'extract-result.raw',
    says: 'raw is the result object of the provider, untouched, on every result.',
  },
] as const satisfies readonly Requirement[];
