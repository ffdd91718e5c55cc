// The admin API of webhooks under /admin/v1/webhooks: endpoints, their secrets, and deliveries.
import { webhookChangeWith, webhookRequestWith, webhookUrlAllowing } from '@trivium/contract';
import { z } from 'zod';
import {
  changeWebhook,
  createWebhook,
  readAccountSecret,
  readDeliveries,
  readDelivery,
  readWebhook,
  readWebhooks,
  redeliver,
  removeWebhook,
  rotateAccountSecret,
  rotateWebhookSecret,
  sendTestEvent,
} from '../../../events/index.ts';
import type { HttpContext } from '../../context.ts';
import type { Route } from '../../route.ts';
import { admin } from '../rows.ts';

export function webhookRoutes({ events: context }: HttpContext): Route[] {
  const url = webhookUrlAllowing(context.settings.allow_private_webhooks);
  const ofQuery = { scope: 'account_in_query' } as const;
  const ofWebhook = { scope: 'webhook_in_path' } as const;
  const ofDelivery = { scope: 'delivery_in_path' } as const;
  const ofAccount = { scope: 'account_in_path' } as const;
  // The delivery is committed then, so the worker can see it.
  const after = () => context.nudge();
  return [
    admin(
      'POST',
      '/webhooks',
      { ...ofQuery, query: NoQuery, body: webhookRequestWith(url) },
      ({ joined, by, account_id, body }) => createWebhook(joined(context), by, account_id, body),
    ),
    admin('GET', '/webhooks', ofQuery, ({ filter }) => readWebhooks(context, filter)),
    admin('GET', '/webhooks/deliveries', ofQuery, ({ filter }) => readDeliveries(context, filter)),
    admin('GET', '/webhooks/deliveries/:id/detail', ofDelivery, ({ id }) =>
      readDelivery(context, id),
    ),
    admin(
      'POST',
      '/webhooks/deliveries/:id/redeliver',
      { ...ofDelivery, after },
      ({ joined, by, id }) => redeliver(joined(context), by, id),
    ),
    admin('GET', '/webhooks/:id', ofWebhook, ({ id }) => readWebhook(context, id)),
    admin(
      'PATCH',
      '/webhooks/:id',
      { ...ofWebhook, body: webhookChangeWith(url) },
      ({ by, id, body }) => changeWebhook(context, by, id, body),
    ),
    admin('DELETE', '/webhooks/:id', ofWebhook, ({ by, id }) => removeWebhook(context, by, id)),
    admin('POST', '/webhooks/:id/rotate', ofWebhook, ({ joined, by, id, body }) =>
      rotateWebhookSecret(joined(context), by, id, body),
    ),
    admin('POST', '/webhooks/:id/test', { ...ofWebhook, after }, ({ joined, by, id }) =>
      sendTestEvent(joined(context), by, id),
    ),
    admin('GET', '/accounts/:id/webhook-secret', { ...ofAccount, reveals: 'secret' }, ({ id }) =>
      readAccountSecret(context, id),
    ),
    admin('POST', '/accounts/:id/webhook-secret/rotate', ofAccount, ({ joined, by, id, body }) =>
      rotateAccountSecret(joined(context), by, id, body),
    ),
  ];
}

const NoQuery = z.strictObject({});
