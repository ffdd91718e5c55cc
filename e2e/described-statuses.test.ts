// An answer whose status the description does not list is found.
import { expect, test } from 'bun:test';
import { findUndescribed } from './described-statuses.ts';

const operation = (...statuses: number[]) => ({
  responses: Object.fromEntries(statuses.map((status) => [status, {}])),
});
const description = {
  paths: {
    '/v1/jobs': { get: operation(200, 401) },
    '/v1/jobs/{id}': { get: operation(200, 404), delete: operation(204) },
    '/v1/jobs/batch': { get: operation(200, 410) },
  },
};

test('every operation and status that is not described is listed once', () => {
  const answers = [
    'GET /v1/jobs 200',
    'GET /v1/jobs 418',
    'GET /v1/jobs/job_1 404',
    'GET /v1/jobs/job_1 409',
    'GET /v1/jobs/job_2 409',
    'DELETE /v1/jobs/job_2 200',
  ];
  expect(findUndescribed(answers, description)).toEqual([
    'DELETE /v1/jobs/job_2 200: the description of DELETE /v1/jobs/{id} does not list this status',
    'GET /v1/jobs 418: the description of GET /v1/jobs does not list this status',
    'GET /v1/jobs/job_2 409: the description of GET /v1/jobs/{id} does not list this status',
  ]);
});

test('an exact path wins, and what is not described is not compared', () => {
  const answers = [
    'GET /v1/jobs/batch 410',
    'PUT /v1/jobs 405',
    'GET /v1/unknown 404',
    'GET /v1/jobs/job_1/raw 500',
    '',
  ];
  expect(findUndescribed(answers, description)).toEqual([]);
});
