// Webhooks: endpoints, deliveries and secrets.
import * as examples from '../examples/webhooks.ts';
import { account } from '../examples/accounts.ts';
import * as schemas from '../index.ts';
import type { Operations } from './operation.ts';

const { url, events, description } = examples.webhook;

export const webhooks = {
  'POST /admin/v1/webhooks': {
    id: 'createWebhook',
    resource: 'webhooks',
    verb: 'create',
    summary: 'Create an endpoint for events; its secret is shown only once',
    description:
      'Creates an endpoint for the account in the query. Without an account, operators ' +
      'create an endpoint for the gateway itself.',
    query: schemas.WebhookQuery.pick({ account_id: true }),
    keyed: 'change',
    body: [schemas.WebhookRequest, { usual: { url, events, description } }],
    status: 201,
    answer: [schemas.NewWebhook, { usual: { ...examples.webhook, secret: examples.secret } }],
    refuses: [404],
  },
  'GET /admin/v1/webhooks': {
    id: 'listWebhooks',
    resource: 'webhooks',
    verb: 'list',
    summary: 'List endpoints, newest first',
    description:
      'Returns one page of the endpoints of an account, or, for operators, of all accounts.',
    query: schemas.WebhookQuery,
    answer: [schemas.WebhookList, { usual: { webhooks: [examples.webhook], next_cursor: null } }],
  },
  'GET /admin/v1/webhooks/deliveries': {
    id: 'listDeliveries',
    resource: 'webhooks.deliveries',
    verb: 'list',
    summary: 'List deliveries, newest first',
    description: 'Returns one page of the log of deliveries, filtered.',
    query: schemas.DeliveryQuery,
    answer: [
      schemas.DeliveryList,
      { usual: { deliveries: [examples.delivery], next_cursor: null, searched_until: null } },
    ],
  },
  'GET /admin/v1/webhooks/deliveries/:id/detail': {
    id: 'readDelivery',
    resource: 'webhooks.deliveries',
    verb: 'get',
    summary: 'Read a delivery with its payload',
    description: 'Returns one delivery of the log, the data of its event, and its attempts.',
    answer: [schemas.DeliveryDetail, { usual: examples.deliveryDetail }],
  },
  'POST /admin/v1/webhooks/deliveries/:id/redeliver': {
    id: 'redeliverEvent',
    resource: 'webhooks.deliveries',
    verb: 'redeliver',
    summary: 'Send an event again',
    description: 'Sends it now, with the same webhook-id, and retries for another 24 hours.',
    keyed: 'change',
    answer: [
      schemas.WebhookDelivery,
      {
        usual: {
          ...examples.delivery,
          state: 'pending',
          next_attempt_at: '2026-11-15T13:00:00.000Z',
          finished_at: null,
        },
      },
    ],
    refuses: [429],
  },
  'GET /admin/v1/webhooks/:id': {
    id: 'readWebhook',
    resource: 'webhooks',
    verb: 'get',
    summary: 'Read an endpoint',
    description: 'Returns an endpoint without its secret.',
    answer: [schemas.Webhook, { usual: examples.webhook }],
  },
  'PATCH /admin/v1/webhooks/:id': {
    id: 'changeWebhook',
    resource: 'webhooks',
    verb: 'update',
    summary: 'Change, pause or resume an endpoint',
    description:
      'Changes the given fields. Events for a paused endpoint are kept and sent when it is ' +
      'resumed.',
    body: [schemas.WebhookChange, { usual: { paused: true } }],
    answer: [schemas.Webhook, { usual: { ...examples.webhook, paused: true } }],
  },
  'DELETE /admin/v1/webhooks/:id': {
    id: 'deleteWebhook',
    resource: 'webhooks',
    verb: 'delete',
    summary: 'Delete an endpoint',
    description: 'Deletes an endpoint. Its pending deliveries are cancelled.',
    answer: [schemas.Removed, { usual: { id: examples.webhook.id } }],
  },
  'POST /admin/v1/webhooks/:id/rotate': {
    id: 'rotateWebhookSecret',
    resource: 'webhooks',
    verb: 'rotate',
    summary: 'Replace the secret of an endpoint; the new one is shown only once',
    description: 'During the overlap each delivery carries a signature of both secrets.',
    keyed: 'change',
    body: [schemas.SecretRotation, { usual: { overlap_hours: 24 } }],
    answer: [
      schemas.NewWebhook,
      {
        usual: {
          ...examples.webhook,
          old_secret_until: '2026-11-16T12:00:00.000Z',
          secret: examples.secret,
        },
      },
    ],
  },
  'POST /admin/v1/webhooks/:id/test': {
    id: 'sendTestEvent',
    resource: 'webhooks',
    verb: 'test',
    summary: 'Send a test event to an endpoint',
    description:
      'Queues the event webhook.test, even for a paused endpoint. The result appears in ' +
      'the list of deliveries.',
    keyed: 'change',
    status: 201,
    answer: [
      schemas.WebhookDelivery,
      {
        usual: {
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
      },
    ],
    refuses: [429],
  },
  'GET /admin/v1/accounts/:id/webhook-secret': {
    id: 'readWebhookSecret',
    resource: 'webhooks',
    verb: 'secret',
    summary: 'Read the secret that signs deliveries to x-trivium-webhook',
    description: 'Returns the secret of the account for the addresses in x-trivium-webhook.',
    answer: [
      schemas.WebhookSecret,
      {
        usual: { account_id: account.id, secret: examples.secret, old_secret_until: null },
      },
    ],
  },
  'POST /admin/v1/accounts/:id/webhook-secret/rotate': {
    id: 'rotateAccountSecret',
    resource: 'webhooks',
    verb: 'rotateSecret',
    summary: 'Replace the secret that signs deliveries to x-trivium-webhook',
    description: 'During the overlap each delivery carries a signature of both secrets.',
    keyed: 'change',
    body: [schemas.SecretRotation, { usual: { overlap_hours: 24 } }],
    answer: [
      schemas.WebhookSecret,
      {
        usual: {
          account_id: account.id,
          secret: examples.secret,
          old_secret_until: '2026-11-16T12:00:00.000Z',
        },
      },
    ],
  },
} as const satisfies Operations;
