// Webhooks: the events that a gateway sends, the endpoints that receive them, and the log of
// deliveries.
import { z } from 'zod';
import { AccountId, Key, ListEnd, PageQuery } from './admin.ts';
import { storable, Timestamp } from './common.ts';
import { addFault } from './faults.ts';
import { ProviderId, TranscriberId } from './ids.ts';
import { isPrivatePageHost } from './private-host.ts';
import { Job } from './transcription.ts';
import { checkUrl, normalizeUrl } from './web-url.ts';

/** Events of one account. */
export const accountEvents = [
  'job.completed',
  'job.failed',
  'balance.low',
  'cap.reached',
  'budget.reached',
  'key.created',
  'key.revoked',
] as const;

/** Events of the whole gateway, for operators. */
export const gatewayEvents = [
  'provider.unhealthy',
  'provider.recovered',
  'provider.unusable_duration',
] as const;

/** What `POST /admin/v1/webhooks/{id}/test` sends. */
export const testEvent = 'webhook.test';

const subscribable = [...accountEvents, ...gatewayEvents] as const;
export type SubscribableEvent = (typeof subscribable)[number];
export const eventTypes = [...subscribable, testEvent] as const;
export type EventType = (typeof eventTypes)[number];

const maxWebhookUrlLength = 2048;
const maxOverlapHours = 168;
const defaultOverlapHours = 24;

/** With `allowPrivate`, for tests and trusted networks, http and private hosts are accepted. */
export function webhookUrlAllowing(allowPrivate: boolean) {
  return z
    .string()
    .min(1)
    .max(maxWebhookUrlLength)
    .superRefine((value, context) => {
      const schemes = allowPrivate ? ['https', 'http'] : ['https'];
      const url = checkUrl(value, { schemes, fragment: false }, context);
      if (url === undefined || allowPrivate || !isPrivatePageHost(url.hostname)) return;
      addFault(
        context,
        [],
        'private_host',
        'Must be on a public host; this one is private. TRIVIUM_ALLOW_PRIVATE_WEBHOOKS=on allows it.',
      );
    })
    .transform(normalizeUrl)
    .meta({
      format: 'uri',
      description: 'A public https URL, to which the gateway sends a POST for each event.',
    });
}

const WebhookUrl = webhookUrlAllowing(false);

export const WebhookId = storable(z.string().min(1).max(100)).describe('The id of an endpoint.');
export const DeliveryId = storable(z.string().min(1).max(100)).describe('The id of a delivery.');

const Events = z
  .array(z.enum(subscribable))
  .min(1)
  .max(subscribable.length)
  .superRefine((events, context) => {
    events.forEach((event, at) => {
      if (events.indexOf(event) === at) return;
      addFault(context, [at], 'repeated', 'Is listed more than once.');
    });
  })
  .describe(
    'What to send. An endpoint of an account receives the events of that account: ' +
      `${accountEvents.join(', ')}. One without an account receives ${gatewayEvents.join(', ')}.`,
  );

const Description = storable(z.string().max(200).trim()).describe('A note for people to read.');

export const Webhook = z
  .object({
    id: WebhookId,
    account_id: AccountId.nullable().describe('Null for an endpoint of the gateway itself.'),
    url: z.string().describe('Where events are sent.'),
    events: z.array(z.enum(subscribable)).describe('What is sent.'),
    description: z.string().describe('A note for people to read.'),
    paused: z.boolean().describe('While paused, events are kept and not sent.'),
    old_secret_until: Timestamp.nullable().describe(
      'Until then, deliveries are also signed with the previous secret.',
    ),
    created_at: Timestamp.describe('When the endpoint was created.'),
    updated_at: Timestamp.describe('When it was last changed.'),
  })
  .describe('An endpoint that receives events, without its secret.');
export type Webhook = z.infer<typeof Webhook>;

const Secret = z.string().describe('Signs the deliveries: whsec_ and base64.');

export const NewWebhook = Webhook.extend({
  secret: Secret.describe('Signs the deliveries: whsec_ and base64. Shown only once.'),
}).describe('An endpoint with a new secret.');
export type NewWebhook = z.infer<typeof NewWebhook>;

/** `webhookUrl` decides which addresses this deployment accepts. */
export function webhookRequestWith(webhookUrl: typeof WebhookUrl) {
  return z
    .strictObject({
      url: webhookUrl,
      events: Events,
      description: Description.default(''),
    })
    .describe('An endpoint to create.');
}

export function webhookChangeWith(webhookUrl: typeof WebhookUrl) {
  return z
    .strictObject({
      url: webhookUrl.optional(),
      events: Events.optional(),
      description: Description.optional(),
      paused: z.boolean().optional().describe('If true, events are kept until it is false again.'),
    })
    .describe('What to change; an omitted field keeps its value.');
}

export const WebhookRequest = webhookRequestWith(WebhookUrl);
export type WebhookRequest = z.infer<typeof WebhookRequest>;
export const WebhookChange = webhookChangeWith(WebhookUrl);
export type WebhookChange = z.infer<typeof WebhookChange>;

export const SecretRotation = z
  .strictObject({
    overlap_hours: z
      .number()
      .int()
      .min(0)
      .max(maxOverlapHours)
      .default(defaultOverlapHours)
      .describe('How long deliveries are also signed with the current secret.'),
  })
  .describe('How to replace a secret.');
export type SecretRotation = z.infer<typeof SecretRotation>;

export const WebhookSecret = z
  .object({
    account_id: AccountId,
    secret: Secret,
    old_secret_until: Timestamp.nullable().describe(
      'Until then, deliveries are also signed with the previous secret.',
    ),
  })
  .describe('The secret that signs deliveries to the address in x-trivium-webhook.');
export type WebhookSecret = z.infer<typeof WebhookSecret>;

export const WebhookQuery = z.strictObject({
  account_id: AccountId.optional(),
  ...PageQuery.shape,
});
export type WebhookQuery = z.infer<typeof WebhookQuery>;

export const WebhookList = z
  .object({
    webhooks: z.array(Webhook).describe('Newest first.'),
    next_cursor: z.string().nullable().describe('Null on the last page.'),
  })
  .describe('A page of endpoints.');
export type WebhookList = z.infer<typeof WebhookList>;

const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const WebhookDelivery = z
  .object({
    id: DeliveryId,
    event_id: z.string().describe('The webhook-id header: the same in every attempt.'),
    event: z.enum(eventTypes).describe('What happened.'),
    subject: z.string().describe('The job, key, account, provider or endpoint it is about.'),
    account_id: AccountId.nullable().describe('Null for an event of the gateway itself.'),
    webhook_id: WebhookId.nullable().describe('Null if x-trivium-webhook named the address.'),
    url: z.string().describe('Where it is sent.'),
    state: z.enum(deliveryStates).describe('failed once all attempts have failed.'),
    attempts: z.number().int().min(0).describe('How many times it was sent.'),
    last_status: z.number().int().nullable().describe('The status of the latest answer.'),
    last_error: z.string().nullable().describe('Why the latest attempt did not succeed.'),
    created_at: Timestamp.describe('When the event happened.'),
    last_attempt_at: Timestamp.nullable().describe('When it was last sent.'),
    next_attempt_at: Timestamp.nullable().describe('Null when it has ended or is paused.'),
    finished_at: Timestamp.nullable().describe(
      'When it was delivered, or when the gateway gave up.',
    ),
  })
  .describe('The delivery of one event to one address.');
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const DeliveryAttempt = z
  .object({
    number: z.number().int().min(1).describe('1 for the first attempt.'),
    at: Timestamp.describe('When it was sent.'),
    duration_ms: z.number().int().min(0).describe('How long the attempt took.'),
    status: z.number().int().nullable().describe('The status of the answer; null without one.'),
    error: z.string().nullable().describe('Why it did not succeed; null for a success.'),
    response_body: z
      .string()
      .nullable()
      .describe(
        'The first 2,048 bytes of the answer, if it is text. Null for a receiver in a private ' +
          'network, whose answers are not read.',
      ),
  })
  .describe('One attempt to deliver an event.');
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const DeliveryDetail = WebhookDelivery.extend({
  attempt_details: z
    .array(DeliveryAttempt)
    .describe('The latest 20 finished attempts, oldest first.'),
  payload: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The data of the event; null for a job, which is read when the event is sent.'),
}).describe('A delivery with its payload and its attempts.');
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

export const DeliveryQuery = z.strictObject({
  account_id: AccountId.optional(),
  webhook_id: WebhookId.optional(),
  event: z.enum(eventTypes).optional().describe('Only this event.'),
  state: z.enum(deliveryStates).optional().describe('Only deliveries in this state.'),
  subject: storable(z.string().min(1).max(100))
    .optional()
    .describe('Only deliveries about this job or key.'),
  ...PageQuery.shape,
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

export const DeliveryList = z
  .object({
    deliveries: z.array(WebhookDelivery).describe('Newest first.'),
    ...ListEnd.shape,
  })
  .describe('A page of the log of deliveries.');
export type DeliveryList = z.infer<typeof DeliveryList>;

const event = <T extends EventType, D extends z.ZodType>(type: T, data: D) =>
  z.object({
    type: z.literal(type).describe('What happened.'),
    timestamp: Timestamp.describe('When it happened.'),
    data,
  });

export const BalanceLow = z
  .object({
    account_id: AccountId,
    balance_usd: z.number().describe('The booked balance of the account, in US dollars.'),
    low_balance_usd: z.number().describe('The threshold that it fell below.'),
  })
  .describe('A balance that fell below its threshold.');
export type BalanceLow = z.infer<typeof BalanceLow>;

export const CapReached = z
  .object({
    account_id: AccountId,
    key_id: Key.shape.id,
    cap: z.enum(['daily', 'monthly']).describe('Which cap.'),
    cap_usd: z.number().min(0).describe('The cap, in US dollars.'),
    spent_usd: z.number().describe('What the key has spent and holds in this period.'),
    period: z.string().describe('The UTC day, or the first day of the calendar month.'),
  })
  .describe('A spending cap of a key that refused a request or has been reached.');
export type CapReached = z.infer<typeof CapReached>;

export const BudgetReached = z
  .object({
    account_id: AccountId,
    tag: z.string().describe('The name of the tag.'),
    value: z.string().describe('Its value.'),
    cap: z.enum(['daily', 'monthly']).describe('Which cap of the budget.'),
    percent: z
      .int()
      .min(80)
      .max(100)
      .describe('80 or 100: how much of it is used. At 100, requests with the tag are refused.'),
    cap_usd: z.number().min(0).describe('The cap, in US dollars.'),
    spent_usd: z
      .number()
      .describe('What requests with the tag have spent and hold in this period.'),
    period: z.string().describe('The UTC day, or the first day of the calendar month.'),
  })
  .describe("A tag's budget of which 80 % or all has been used.");
export type BudgetReached = z.infer<typeof BudgetReached>;

export const ProviderChange = z
  .object({ provider: ProviderId })
  .describe('A provider whose circuit opened or closed.');
export type ProviderChange = z.infer<typeof ProviderChange>;

export const UnusableDuration = z
  .object({
    provider: TranscriberId,
    job_id: Job.shape.id,
    charged_to: z
      .enum(['last_word', 'hold'])
      .describe('The job was charged to the end of its last word, or its hold.'),
  })
  .describe('A completed job whose provider reported no usable duration.');
export type UnusableDuration = z.infer<typeof UnusableDuration>;

export const KeyFacts = Key.omit({ used_today_usd: true, used_this_month_usd: true }).describe(
  'An API key, without its secret and what it has spent.',
);

export const WebhookTest = z.object({ webhook_id: WebhookId }).describe('A test delivery.');

/** The body of a delivery. */
export const WebhookEvent = z
  .discriminatedUnion('type', [
    event('job.completed', Job),
    event('job.failed', Job),
    event('balance.low', BalanceLow),
    event('cap.reached', CapReached),
    event('budget.reached', BudgetReached),
    event('key.created', KeyFacts),
    event('key.revoked', KeyFacts),
    event('provider.unhealthy', ProviderChange),
    event('provider.recovered', ProviderChange),
    event('provider.unusable_duration', UnusableDuration),
    event('webhook.test', WebhookTest),
  ])
  .describe('The body of a delivery.');
export type WebhookEvent = z.infer<typeof WebhookEvent>;
