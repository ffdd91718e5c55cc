// The admin API of webhooks under /admin/v1/webhooks: endpoints, their secrets, and deliveries.
import { webhookChangeWith, webhookRequestWith, webhookUrlAllowing } from '@trivium/contract';
import { z } from 'zod';
import type { ChangeOnce } from '../../../accounts/index.ts';
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
import type { EventsContext } from '../../../events/index.ts';
import { validate } from '../../middleware/body.ts';
import type { Route } from '../../route.ts';
import { admin, answerOnce, ok, report } from './routes.ts';

export function webhookRoutes(
  context: EventsContext,
  changeOnce: ChangeOnce,
  allowPrivate: boolean,
): Route[] {
  const once = answerOnce(context, changeOnce);
  const url = webhookUrlAllowing(allowPrivate);
  const WebhookRequest = webhookRequestWith(url);
  const WebhookChange = webhookChangeWith(url);
  return [
    admin('POST', '/webhooks', {
      scope: 'account_in_query',
      handle: async (request) => {
        validate(NoQuery, request.query);
        const body = await request.body(WebhookRequest);
        return once(request, { body, status: 201 }, (joined) =>
          createWebhook(joined, request.by, request.account_id, body),
        );
      },
    }),
    report('/webhooks', (query) => readWebhooks(context, query)),
    report('/webhooks/deliveries', (query) => readDeliveries(context, query)),
    admin('GET', '/webhooks/deliveries/:id/detail', {
      scope: 'delivery_in_path',
      handle: ({ delivery_id }) => ok(readDelivery(context, delivery_id)),
    }),
    admin('POST', '/webhooks/deliveries/:id/redeliver', {
      scope: 'delivery_in_path',
      handle: async (request) => {
        const response = await once(request, { body: {}, status: 200 }, (joined) =>
          redeliver(joined, request.by, request.delivery_id),
        );
        context.nudge();
        return response;
      },
    }),
    admin('GET', '/webhooks/:id', {
      scope: 'webhook_in_path',
      handle: ({ webhook_id }) => ok(readWebhook(context, webhook_id)),
    }),
    admin('PATCH', '/webhooks/:id', {
      scope: 'webhook_in_path',
      handle: async ({ webhook_id, body, by }) =>
        ok(changeWebhook(context, by, webhook_id, await body(WebhookChange))),
    }),
    admin('DELETE', '/webhooks/:id', {
      scope: 'webhook_in_path',
      handle: ({ webhook_id, by }) => ok(removeWebhook(context, by, webhook_id)),
    }),
    admin('POST', '/webhooks/:id/rotate', {
      scope: 'webhook_in_path',
      handle: async (request) => {
        const body = await request.body();
        return once(request, { body, status: 200 }, (joined) =>
          rotateWebhookSecret(joined, request.by, request.webhook_id, body),
        );
      },
    }),
    admin('POST', '/webhooks/:id/test', {
      scope: 'webhook_in_path',
      handle: async (request) => {
        const response = await once(request, { body: {}, status: 201 }, (joined) =>
          sendTestEvent(joined, request.by, request.webhook_id),
        );
        // The delivery is committed now, so the worker can see it.
        context.nudge();
        return response;
      },
    }),
    admin('GET', '/accounts/:id/webhook-secret', {
      scope: 'account_in_path',
      reveals: 'secret',
      handle: ({ account_id }) => ok(readAccountSecret(context, account_id)),
    }),
    admin('POST', '/accounts/:id/webhook-secret/rotate', {
      scope: 'account_in_path',
      handle: async (request) => {
        const body = await request.body();
        return once(request, { body, status: 200 }, (joined) =>
          rotateAccountSecret(joined, request.by, request.account_id, body),
        );
      },
    }),
  ];
}

const NoQuery = z.strictObject({});
