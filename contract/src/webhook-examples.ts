// Examples of webhooks, shown in the description of the API and checked against its schemas.
import { account } from './admin-examples.ts';
import { completedJob } from './examples.ts';
import type { Webhook, WebhookDelivery } from './webhooks.ts';

export const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=';

export const webhook: Webhook = {
  id: 'wh_019a84c25b7e7c319d426f0e8a1b2c70',
  account_id: account.id,
  url: 'https://hooks.example/trivium',
  events: ['job.completed', 'job.failed'],
  description: 'Transcripts',
  paused: false,
  old_secret_until: null,
  created_at: '2026-11-15T12:00:00.000Z',
  updated_at: '2026-11-15T12:00:00.000Z',
};

export const delivery: WebhookDelivery = {
  id: 'dlv_019a84c25b7e7c319d426f0e8a1b2c71',
  event_id: 'msg_019a84c25b7e7c319d426f0e8a1b2c72',
  event: 'job.completed',
  subject: completedJob.id,
  account_id: account.id,
  webhook_id: webhook.id,
  url: webhook.url,
  state: 'delivered',
  attempts: 2,
  last_status: 204,
  last_error: null,
  created_at: '2026-11-15T12:02:09.000Z',
  last_attempt_at: '2026-11-15T12:02:14.200Z',
  next_attempt_at: null,
  finished_at: '2026-11-15T12:02:14.310Z',
};

/** The statuses that the description must list for each endpoint. */
export const webhookStatuses = {
  'post /admin/v1/webhooks': [201, 400, 401, 404, 413, 500],
  'get /admin/v1/webhooks': [200, 400, 401, 500],
  'get /admin/v1/webhooks/deliveries': [200, 400, 401, 500],
  'post /admin/v1/webhooks/deliveries/{id}/redeliver': [200, 401, 404, 409, 500],
  'get /admin/v1/webhooks/{id}': [200, 401, 404, 500],
  'patch /admin/v1/webhooks/{id}': [200, 400, 401, 404, 413, 500],
  'delete /admin/v1/webhooks/{id}': [200, 401, 404, 500],
  'post /admin/v1/webhooks/{id}/rotate': [200, 400, 401, 404, 413, 500],
  'post /admin/v1/webhooks/{id}/test': [201, 401, 404, 500],
  'get /admin/v1/accounts/{id}/webhook-secret': [200, 401, 404, 500],
  'post /admin/v1/accounts/{id}/webhook-secret/rotate': [200, 400, 401, 404, 413, 500],
};
