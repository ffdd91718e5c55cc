// The error envelope, and the status of every kind of failure on every endpoint.
import type { Requirement } from '../requirement.ts';

export const errors = [
  {
    id: 'errors.envelope',
    says: 'An error is an object error with type, message and an optional detail.',
  },
  {
    id: 'errors.types',
    says: 'The type of a documented error is one of the seven documented ones.',
  },
  { id: 'errors.message-is-for-people', says: 'The message explains in words what is wrong.' },
  {
    id: 'errors.detail-validation',
    says: 'The detail of an invalid_request lists what validation found.',
  },
  {
    id: 'errors.detail-provider',
    says: 'The detail of a provider_error is the error body of the provider.',
  },
  { id: 'errors.search.200', says: 'A search that worked gives a 200.' },
  { id: 'errors.search.400', says: 'An invalid search gives a 400.' },
  { id: 'errors.search.401', says: 'A search without a valid key gives a 401.' },
  {
    id: 'errors.search.402',
    says: 'A search that the balance cannot pay gives a 402.',
  },
  { id: 'errors.search.501', says: 'A search on an engine that is not available gives a 501.' },
  { id: 'errors.search.502', says: 'A search whose provider fails gives a 502.' },
  { id: 'errors.search.503', says: 'A search on an engine that is not configured gives a 503.' },
  { id: 'errors.extract.200', says: 'An extraction that worked gives a 200.' },
  { id: 'errors.extract.400', says: 'An invalid extraction gives a 400.' },
  { id: 'errors.extract.401', says: 'An extraction without a valid key gives a 401.' },
  {
    id: 'errors.extract.402',
    says: 'An extraction that the balance cannot pay gives a 402.',
  },
  {
    id: 'errors.extract.502',
    says: 'An extraction whose provider fails as a whole gives a 502.',
  },
  {
    id: 'errors.extract.503',
    says: 'An extraction on an engine that is not configured gives a 503.',
  },
  { id: 'errors.transcription.400', says: 'An invalid transcription gives a 400.' },
  { id: 'errors.transcription.401', says: 'A transcription without a valid key gives a 401.' },
  {
    id: 'errors.transcription.402',
    says: 'A transcription that the balance cannot pay gives a 402.',
  },
  {
    id: 'errors.transcription.503',
    says: 'A transcription on a service that is not configured gives a 503.',
  },
  { id: 'errors.jobs.400', says: 'A job id of the wrong shape gives a 400.' },
  { id: 'errors.jobs.401', says: 'A read without a valid key gives a 401.' },
  { id: 'errors.jobs.404', says: 'A read of an unknown job gives a 404.' },
  {
    id: 'errors.jobs.503',
    says: 'A read while the job store is unreachable gives a 503.',
  },
  {
    id: 'errors.documented.search',
    says: 'The API description lists every documented status of a search.',
  },
  {
    id: 'errors.documented.extract',
    says: 'The API description lists every documented status of an extraction.',
  },
  {
    id: 'errors.documented.transcription',
    says: 'The API description lists every documented status of a transcription.',
  },
  {
    id: 'errors.documented.jobs',
    says: 'The API description lists every documented status of a job read.',
  },
] as const satisfies readonly Requirement[];
