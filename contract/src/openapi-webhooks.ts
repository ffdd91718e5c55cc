// The endpoints of webhooks in the OpenAPI document: what receives events, and the deliveries.
import { account } from './admin-examples.ts';
import { AccountId } from './admin.ts';
import { adminOperation, busy, idParameter, queryParameters } from './openapi-admin-operation.ts';
import type { AdminEndpoint } from './openapi-admin-operation.ts';
import { creationKeyParameter } from './openapi-rotation.ts';
import * as examples from './webhook-examples.ts';
import { DeliveryId, DeliveryQuery, WebhookId, WebhookQuery } from './webhooks.ts';

export function webhookPaths(): Record<string, object> {
  return {
    '/admin/v1/webhooks': { post: adminOperation(create), get: adminOperation(list) },
    '/admin/v1/webhooks/deliveries': { get: adminOperation(listDeliveries) },
    '/admin/v1/webhooks/deliveries/{id}/redeliver': { post: adminOperation(redeliver) },
    '/admin/v1/webhooks/{id}': {
      get: adminOperation(read),
      patch: adminOperation(change),
      delete: adminOperation(remove),
    },
    '/admin/v1/webhooks/{id}/rotate': { post: adminOperation(rotate) },
    '/admin/v1/webhooks/{id}/test': { post: adminOperation(sendTest) },
    '/admin/v1/accounts/{id}/webhook-secret': { get: adminOperation(readSecret) },
    '/admin/v1/accounts/{id}/webhook-secret/rotate': { post: adminOperation(rotateSecret) },
  };
}

const webhookParameter = idParameter(WebhookId, examples.webhook.id, 'The endpoint.');
const deliveryParameter = idParameter(DeliveryId, examples.delivery.id, 'The delivery.');
const accountParameter = idParameter(AccountId, account.id, 'The account.');

const { url, events, description } = examples.webhook;

const create: AdminEndpoint = {
  id: 'createWebhook',
  summary: 'Create an endpoint for events; its secret is shown only once',
  description:
    'Creates an endpoint of the account in the query, or without one an endpoint of the gateway ' +
    'itself, for operators.',
  request: { schema: 'WebhookRequest', example: { url, events, description } },
  response: 'NewWebhook',
  example: { ...examples.webhook, secret: examples.secret },
  status: 201,
  failures: [400, 404, 409, 413],
  parameters: [...queryParameters(WebhookQuery.pick({ account_id: true })), creationKeyParameter],
};

const list: AdminEndpoint = {
  id: 'listWebhooks',
  summary: 'List endpoints, the newest first',
  description: 'Returns one page of the endpoints of an account, or for operators of all.',
  response: 'WebhookList',
  example: { webhooks: [examples.webhook], next_cursor: null },
  failures: [400, ...busy],
  parameters: queryParameters(WebhookQuery),
};

const read: AdminEndpoint = {
  id: 'readWebhook',
  summary: 'Read an endpoint',
  description: 'Returns an endpoint without its secret.',
  response: 'Webhook',
  example: examples.webhook,
  failures: [404, ...busy],
  parameters: [webhookParameter],
};

const change: AdminEndpoint = {
  id: 'changeWebhook',
  summary: 'Change, pause or resume an endpoint',
  description:
    'Changes the given fields. A paused endpoint keeps its events and gets them when it resumes.',
  request: { schema: 'WebhookChange', example: { paused: true } },
  response: 'Webhook',
  example: { ...examples.webhook, paused: true },
  failures: [400, 404, 413],
  parameters: [webhookParameter],
};

const remove: AdminEndpoint = {
  id: 'deleteWebhook',
  summary: 'Delete an endpoint',
  description: 'Deletes an endpoint. Deliveries that wait for it are given up.',
  response: 'Removed',
  example: { id: examples.webhook.id },
  failures: [404],
  parameters: [webhookParameter],
};

const rotate: AdminEndpoint = {
  id: 'rotateWebhookSecret',
  summary: 'Replace the secret of an endpoint; the new one is shown only once',
  description: 'During the overlap each delivery carries a signature of both secrets.',
  request: { schema: 'SecretRotation', example: { overlap_hours: 24 } },
  response: 'NewWebhook',
  example: {
    ...examples.webhook,
    old_secret_until: '2026-11-16T12:00:00.000Z',
    secret: examples.secret,
  },
  failures: [400, 404, 409, 413],
  parameters: [webhookParameter, creationKeyParameter],
};

const sendTest: AdminEndpoint = {
  id: 'sendTestEvent',
  summary: 'Send a test event to an endpoint',
  description: 'Queues the event webhook.test, also for a paused endpoint. The log has its result.',
  response: 'WebhookDelivery',
  example: {
    ...examples.delivery,
    event: 'webhook.test',
    subject: examples.webhook.id,
    state: 'pending',
    attempts: 0,
    last_status: null,
    last_attempt_at: null,
    next_attempt_at: examples.delivery.created_at,
    finished_at: null,
  },
  status: 201,
  failures: [400, 404, 409, 429],
  parameters: [webhookParameter, creationKeyParameter],
};

const listDeliveries: AdminEndpoint = {
  id: 'listDeliveries',
  summary: 'List deliveries, the newest first',
  description: 'Returns one page of the log of deliveries, filtered.',
  response: 'DeliveryList',
  example: { deliveries: [examples.delivery], next_cursor: null, searched_until: null },
  failures: [400, ...busy],
  parameters: queryParameters(DeliveryQuery),
};

const redeliver: AdminEndpoint = {
  id: 'redeliverEvent',
  summary: 'Send an event again',
  description: 'Sends it now, with the same webhook-id, and retries for another 24 hours.',
  response: 'WebhookDelivery',
  example: {
    ...examples.delivery,
    state: 'pending',
    next_attempt_at: '2026-11-15T13:00:00.000Z',
    finished_at: null,
  },
  failures: [400, 404, 409, 429],
  parameters: [deliveryParameter, creationKeyParameter],
};

const readSecret: AdminEndpoint = {
  id: 'readWebhookSecret',
  summary: 'Read the secret that signs deliveries to x-trivium-webhook',
  description: 'Returns the secret of the account for addresses that a request names itself.',
  response: 'WebhookSecret',
  example: { account_id: account.id, secret: examples.secret, old_secret_until: null },
  failures: [404, ...busy],
  parameters: [accountParameter],
};

const rotateSecret: AdminEndpoint = {
  id: 'rotateAccountSecret',
  summary: 'Replace the secret that signs deliveries to x-trivium-webhook',
  description: 'During the overlap each delivery carries a signature of both secrets.',
  request: { schema: 'SecretRotation', example: { overlap_hours: 24 } },
  response: 'WebhookSecret',
  example: {
    account_id: account.id,
    secret: examples.secret,
    old_secret_until: '2026-11-16T12:00:00.000Z',
  },
  failures: [400, 404, 409, 413],
  parameters: [accountParameter, creationKeyParameter],
};
