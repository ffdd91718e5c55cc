// The operator's client for webhooks: endpoints, their secrets, and the log of deliveries.
import type {
  DeliveryDetail,
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
import type { DeliveryFilters, WebhookFilters } from './filters.ts';
import type { List } from './lists.ts';
import type { EitherName, EitherOption } from './names.ts';
import type { CallOptions } from './options.ts';
import type { Call, Shape } from './send.ts';

type Options = EitherOption<CallOptions>;
type Movement = EitherOption<MovementOptions>;
type NewEndpoint = Omit<WebhookRequest, 'description'> & Partial<WebhookRequest>;

export interface WebhookClient {
  list: List<WebhookList, Webhook, WebhookFilters>;
  get: (id: string, options?: Options) => ApiPromise<Webhook>;
  /**
   * Without `accountId`, creates an endpoint of the gateway itself, for events about providers. The
   * response contains the secret, which is shown only once.
   */
  create: (
    accountId: string | undefined,
    request: EitherName<NewEndpoint>,
    options?: Movement,
  ) => ApiPromise<NewWebhook>;
  update: (id: string, change: EitherName<WebhookChange>, options?: Options) => ApiPromise<Webhook>;
  pause: (id: string, options?: Options) => ApiPromise<Webhook>;
  resume: (id: string, options?: Options) => ApiPromise<Webhook>;
  delete: (id: string, options?: Options) => ApiPromise<{ id: string }>;
  /** The response contains the new secret. During the overlap, deliveries are signed with both. */
  rotate: (
    id: string,
    rotation?: EitherName<Partial<SecretRotation>>,
    options?: Movement,
  ) => ApiPromise<NewWebhook>;
  /** Queues the event `webhook.test`. */
  test: (id: string, options?: Movement) => ApiPromise<WebhookDelivery>;
  deliveries: {
    list: List<DeliveryList, WebhookDelivery, DeliveryFilters>;
    /** The response contains the payload. */
    get: (id: string, options?: Options) => ApiPromise<DeliveryDetail>;
    redeliver: (id: string, options?: Movement) => ApiPromise<WebhookDelivery>;
  };
  /** The secret that signs deliveries to an address named in a request. */
  secret: (accountId: string, options?: Options) => ApiPromise<WebhookSecret>;
  rotateSecret: (
    accountId: string,
    rotation?: EitherName<Partial<SecretRotation>>,
    options?: Movement,
  ) => ApiPromise<WebhookSecret>;
}

export interface MovementOptions extends CallOptions {
  /** Generated for each call unless given, so that a retry does not repeat the change. */
  idempotencyKey?: string | undefined;
}

export interface AdminCalls {
  ask: <T>(
    method: Call['method'],
    path: string,
    rest?: EitherOption<CallOptions>,
    shape?: Shape,
  ) => ApiPromise<T>;
  patch: <T>(path: string, body: object, rest?: EitherOption<CallOptions>) => ApiPromise<T>;
  /** A POST that is retried with the same idempotency key after a broken connection. */
  once: <T>(
    path: string,
    body: object | undefined,
    rest?: EitherOption<MovementOptions>,
    shape?: Shape,
  ) => ApiPromise<T>;
  list: <
    Page extends Record<Name, Item[]> & { next_cursor?: string | null },
    Item,
    Filters extends object,
    Name extends string,
  >(
    path: string,
    name: Name,
  ) => List<Page, Item, Filters>;
}

export function makeWebhookClient({ ask, patch, once, list }: AdminCalls): WebhookClient {
  const update: WebhookClient['update'] = (id, body, rest) => patch(webhook(id), body, rest);
  return {
    list: list('/webhooks', 'webhooks'),
    get: (id, rest) => ask('GET', webhook(id), rest),
    create: (accountId, body, rest) => {
      const query = accountId === undefined ? '' : `?account_id=${encodeURIComponent(accountId)}`;
      return once(`/webhooks${query}`, body, rest);
    },
    update,
    pause: (id, rest) => update(id, { paused: true }, rest),
    resume: (id, rest) => update(id, { paused: false }, rest),
    delete: (id, rest) => ask('DELETE', webhook(id), rest),
    rotate: (id, body = {}, rest) => once(`${webhook(id)}/rotate`, body, rest),
    test: (id, rest) => once(`${webhook(id)}/test`, undefined, rest),
    deliveries: {
      list: list('/webhooks/deliveries', 'deliveries'),
      get: (id, rest) => ask('GET', `/webhooks/deliveries/${encodeURIComponent(id)}/detail`, rest),
      redeliver: (id, rest) =>
        once(`/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`, undefined, rest),
    },
    secret: (id, rest) => ask('GET', secretOf(id), rest, secretShape),
    rotateSecret: (id, body = {}, rest) => once(`${secretOf(id)}/rotate`, body, rest, secretShape),
  };
}

const secretShape: Shape = { account_id: 'string', secret: 'string' };

function webhook(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}

function secretOf(accountId: string): string {
  return `/accounts/${encodeURIComponent(accountId)}/webhook-secret`;
}
