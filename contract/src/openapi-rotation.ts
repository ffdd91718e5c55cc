// The rotation of keys in the OpenAPI document, and the parameters that keys and creations share.
import * as examples from './admin-examples.ts';
import { KeyId } from './admin.ts';
import { IdempotencyKey } from './common.ts';
import { adminOperation, idParameter } from './openapi-admin-operation.ts';
import type { AdminEndpoint } from './openapi-admin-operation.ts';
import { inline } from './openapi-operation.ts';

export const keyParameter = idParameter(KeyId, examples.key.id, 'The API key.');

export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A repeated request with the same key and body moves money only once.',
  schema: inline(IdempotencyKey),
};

export const creationKeyParameter = {
  ...idempotencyKeyParameter,
  description:
    'For 24 hours, a repeated request with the same key and body changes nothing more and gets ' +
    'the same response, with Idempotent-Replayed: true.',
};

export function rotationPaths(): Record<string, object> {
  return {
    '/admin/v1/keys/{id}/rotate': { post: adminOperation(rotateKey) },
    '/admin/v1/keys/{id}/previous': { delete: adminOperation(endOverlap) },
  };
}

const rotateKey: AdminEndpoint = {
  id: 'rotateKey',
  summary: 'Give a key a new secret; the earlier one works for a while longer',
  description:
    'The id, the limits and what was spent stay. Only one earlier secret works beside the new ' +
    'one: rotating again ends the one before. TRIVIUM_BOOTSTRAP_KEY is rotated in the settings.',
  request: { schema: 'KeyRotation', example: { overlap_hours: 24 } },
  response: 'NewKey',
  example: {
    ...examples.key,
    previous_until: '2026-11-16T12:01:00.000Z',
    key: examples.apiKey,
  },
  status: 201,
  failures: [400, 404, 409, 413],
  parameters: [keyParameter, creationKeyParameter],
};

const endOverlap: AdminEndpoint = {
  id: 'endOverlap',
  summary: 'End the earlier secret of a rotated key now',
  description: 'From now on only the newest secret of the key works.',
  response: 'Key',
  example: examples.key,
  failures: [404],
  parameters: [keyParameter],
};
