// The admin API of webhooks as tests use it, with the operator token.
import {
  DeliveryList,
  NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookSecret,
} from '@trivium/contract';
import type { z } from 'zod';
import type { Gateway } from './harness.ts';
import { waitFor } from './wait-for.ts';

export const operatorToken = 'operator-token-of-the-tests-0123456789';
const asOperator = { authorization: `Bearer ${operatorToken}` };

export interface WebhookAdmin {
  ask: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => ReturnType<Gateway['ask']>;
  account: () => Promise<string>;
  create: (body: object, accountId?: string) => Promise<NewWebhook>;
  change: (id: string, body: object) => Promise<Webhook>;
  rotate: (id: string, body?: object) => Promise<NewWebhook>;
  test: (id: string) => Promise<WebhookDelivery>;
  redeliver: (id: string) => Promise<WebhookDelivery>;
  deliveries: (query: string) => Promise<WebhookDelivery[]>;
  /** Waits until every delivery of the query satisfies the condition, and there is one. */
  settled: (
    query: string,
    isReached: (delivery: WebhookDelivery) => boolean,
  ) => Promise<WebhookDelivery[]>;
  secret: (accountId: string) => Promise<string>;
}

export function webhookAdmin(gateway: () => Gateway): WebhookAdmin {
  const ask: WebhookAdmin['ask'] = (method, path, body, headers) =>
    gateway().ask(method, `/admin/v1${path}`, body, { ...asOperator, ...headers });
  const read = async <T>(
    schema: z.ZodType<T>,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> => {
    const answer = await ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return schema.parse(answer.body);
  };
  const deliveries = async (query: string) =>
    (await read(DeliveryList, 'GET', `/webhooks/deliveries?${query}`)).deliveries;
  return {
    ask,
    account: async () => {
      const { body } = await ask('GET', '/accounts');
      const [first] = (body as { accounts: { id: string }[] }).accounts;
      return first?.id ?? '';
    },
    create: (body, accountId) =>
      read(
        NewWebhook,
        'POST',
        accountId === undefined ? '/webhooks' : `/webhooks?account_id=${accountId}`,
        body,
      ),
    change: (id, body) => read(Webhook, 'PATCH', `/webhooks/${id}`, body),
    rotate: (id, body = {}) => read(NewWebhook, 'POST', `/webhooks/${id}/rotate`, body),
    test: (id) => read(WebhookDelivery, 'POST', `/webhooks/${id}/test`),
    redeliver: (id) => read(WebhookDelivery, 'POST', `/webhooks/deliveries/${id}/redeliver`),
    deliveries,
    settled: (query, isReached) =>
      waitFor(() => deliveries(query), {
        what: `the deliveries with ${query}`,
        until: (found) => found.length > 0 && found.every(isReached),
      }),
    secret: async (id) =>
      (await read(WebhookSecret, 'GET', `/accounts/${id}/webhook-secret`)).secret,
  };
}
