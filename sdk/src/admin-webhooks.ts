// The operator's client for webhooks: endpoints, their secrets, and the log of deliveries.
import type {
  DeliveryList,
  NewWebhook,
  SecretRotation,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookList,
  WebhookRequest,
  WebhookSecret,
} from '@trivium/contract';
import type { ApiPromise } from './api-promise.ts';
import type { List } from './lists.ts';
import type { CallOptions } from './options.ts';
import type { Call, Shape } from './send.ts';

type NewEndpoint = Omit<WebhookRequest, 'description'> & Partial<WebhookRequest>;

export interface WebhookClient {
  list: List<WebhookList, Webhook>;
  get: (id: string, options?: CallOptions) => ApiPromise<Webhook>;
  /**
   * `account_id` undefined makes an endpoint of the gateway itself, for events about providers. The
   * response contains the secret; it is shown only once.
   */
  create: (
    accountId: string | undefined,
    request: NewEndpoint,
    options?: MovementOptions,
  ) => ApiPromise<NewWebhook>;
  change: (id: string, change: WebhookChange, options?: CallOptions) => ApiPromise<Webhook>;
  pause: (id: string, options?: CallOptions) => ApiPromise<Webhook>;
  resume: (id: string, options?: CallOptions) => ApiPromise<Webhook>;
  remove: (id: string, options?: CallOptions) => ApiPromise<{ id: string }>;
  /** The response contains the new secret. During the overlap both sign. */
  rotate: (
    id: string,
    rotation?: Partial<SecretRotation>,
    options?: MovementOptions,
  ) => ApiPromise<NewWebhook>;
  /** Queues the event `webhook.test`. */
  test: (id: string, options?: MovementOptions) => ApiPromise<WebhookDelivery>;
  deliveries: List<DeliveryList, WebhookDelivery>;
  redeliver: (id: string, options?: MovementOptions) => ApiPromise<WebhookDelivery>;
  /** Signs deliveries to the address that a request names. */
  secret: (accountId: string, options?: CallOptions) => ApiPromise<WebhookSecret>;
  rotateSecret: (
    accountId: string,
    rotation?: Partial<SecretRotation>,
    options?: MovementOptions,
  ) => ApiPromise<WebhookSecret>;
}

export interface MovementOptions extends CallOptions {
  /** Generated for each call unless given, so that a retry changes nothing twice. */
  idempotency_key?: string | undefined;
}

export interface AdminCalls {
  ask: <T>(
    method: Call['method'],
    path: string,
    rest?: Partial<Call>,
    shape?: Shape,
  ) => ApiPromise<T>;
  /** A POST that is repeated under the same key after a broken connection. */
  once: <T>(path: string, body: unknown, rest?: MovementOptions, shape?: Shape) => ApiPromise<T>;
  list: <
    Page extends Record<Name, Item[]> & { next_cursor?: string | null },
    Item,
    Name extends string,
  >(
    path: string,
    name: Name,
  ) => List<Page, Item>;
}

export function makeWebhookClient({ ask, once, list }: AdminCalls): WebhookClient {
  const change: WebhookClient['change'] = (id, body, rest) =>
    ask('PATCH', webhook(id), { body, ...rest });
  return {
    list: list('/webhooks', 'webhooks'),
    get: (id, rest) => ask('GET', webhook(id), rest),
    create: (accountId, body, rest) => {
      const query = accountId === undefined ? '' : `?account_id=${encodeURIComponent(accountId)}`;
      return once(`/webhooks${query}`, body, rest);
    },
    change,
    pause: (id, rest) => change(id, { paused: true }, rest),
    resume: (id, rest) => change(id, { paused: false }, rest),
    remove: (id, rest) => ask('DELETE', webhook(id), rest),
    rotate: (id, body = {}, rest = {}) => once(`${webhook(id)}/rotate`, body, rest),
    test: (id, rest) => once(`${webhook(id)}/test`, undefined, rest),
    deliveries: list('/webhooks/deliveries', 'deliveries'),
    redeliver: (id, rest) =>
      once(`/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`, undefined, rest),
    secret: (id, rest) => ask('GET', secretOf(id), rest, secretShape),
    rotateSecret: (id, body = {}, rest = {}) =>
      once(`${secretOf(id)}/rotate`, body, rest, secretShape),
  };
}

const secretShape: Shape = { account_id: 'string', secret: 'string' };

function webhook(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}

function secretOf(accountId: string): string {
  return `/accounts/${encodeURIComponent(accountId)}/webhook-secret`;
}
