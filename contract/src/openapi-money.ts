// The operator's movements of money in the OpenAPI document.
import * as examples from './admin-examples.ts';
import { AccountId } from './admin.ts';
import { IdempotencyKey } from './common.ts';
import { adminOperation, idParameter } from './openapi-admin-operation.ts';
import type { AdminEndpoint } from './openapi-admin-operation.ts';
import { inline } from './openapi-operation.ts';

export function moneyPaths(): Record<string, object> {
  return {
    '/admin/v1/accounts/{id}/topups': { post: adminOperation(topUp) },
    '/admin/v1/accounts/{id}/adjustments': { post: adminOperation(adjust) },
    '/admin/v1/accounts/{id}/refunds': { post: adminOperation(refund) },
  };
}

export const accountParameter = idParameter(AccountId, examples.account.id, 'The account.');

export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A repeated request with the same key and body moves money only once.',
  schema: inline(IdempotencyKey),
};

const movement = {
  response: 'TransferLine',
  status: 201,
  failures: [400, 404, 409, 413, 503],
  parameters: [accountParameter, idempotencyKeyParameter],
} as const;

const topUp: AdminEndpoint = {
  ...movement,
  parameters: [...movement.parameters],
  id: 'topUp',
  summary: 'Add money to an account',
  description:
    'Adds money to the balance. Send an Idempotency-Key, so that a retry does not add it twice.',
  request: { schema: 'TopupRequest', example: { amount_usd: 25, reason: 'invoice 2026-104' } },
  example: examples.transfer,
};

const adjust: AdminEndpoint = {
  ...movement,
  parameters: [...movement.parameters],
  id: 'adjustBalance',
  summary: 'Correct the balance of an account',
  description: 'Changes the balance by a positive or negative amount, to correct a mistake.',
  request: { schema: 'AdjustmentRequest', example: { amount_usd: -2.5, reason: 'typed twice' } },
  example: { ...examples.transfer, kind: 'adjust', amount_usd: -2.5, reason: 'typed twice' },
};

const refund: AdminEndpoint = {
  ...movement,
  parameters: [...movement.parameters],
  id: 'refundCost',
  summary: 'Refund what a request cost',
  description: 'Returns all or part of what a request cost to the balance.',
  request: {
    schema: 'RefundRequest',
    example: { request_id: examples.request.id, amount_usd: 0.007, reason: 'answer was unusable' },
  },
  example: { ...examples.transfer, kind: 'refund', amount_usd: 0.007 },
};
