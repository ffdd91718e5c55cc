// Examples of endpoints and deliveries.
import type { DeliveryDetail, Webhook, WebhookDelivery } from '../index.ts';
import { account } from './accounts.ts';
import { completedJob } from './tools.ts';

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

export const deliveryDetail: DeliveryDetail = {
  ...delivery,
  attempt_details: [
    {
      number: 1,
      at: '2026-11-15T12:02:09.100Z',
      duration_ms: 240,
      status: 503,
      error: 'Answered 503, not a status from 200 to 299.',
      response_body: 'We are being deployed.',
    },
    {
      number: 2,
      at: '2026-11-15T12:02:14.200Z',
      duration_ms: 110,
      status: 204,
      error: null,
      response_body: null,
    },
  ],
  payload: { account_id: account.id },
};
