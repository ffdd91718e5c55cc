// Labels for webhook events, and until when a previous secret signs.
import type { EventType, SubscribableEvent, Webhook, WebhookDelivery } from '@trivium/contract';
import type { Tone } from '../components/basics.tsx';

type GatewayEvent = Extract<SubscribableEvent, `provider.${string}`>;
type AccountEvent = Exclude<SubscribableEvent, GatewayEvent>;

export const accountEventLabels: Readonly<Record<AccountEvent, string>> = {
  'job.completed': 'Transcription ready',
  'job.failed': 'Transcription failed',
  'balance.low': 'Low balance',
  'cap.reached': 'Key cap reached',
  'budget.reached': 'Budget at 80% or 100%',
  'key.created': 'Key created',
  'key.revoked': 'Key revoked',
};

export const gatewayEventLabels: Readonly<Record<GatewayEvent, string>> = {
  'provider.unhealthy': 'Provider unhealthy',
  'provider.recovered': 'Provider recovered',
  'provider.unusable_duration': 'No usable duration',
};

export const eventLabels: Readonly<Record<EventType, string>> = {
  ...accountEventLabels,
  ...gatewayEventLabels,
  'webhook.test': 'Test',
};

/** An endpoint of an account and one of the gateway have different events to choose from. */
export function eventsFor(accountId: string | null): (readonly [SubscribableEvent, string])[] {
  const words = accountId === null ? gatewayEventLabels : accountEventLabels;
  return Object.entries(words) as [SubscribableEvent, string][];
}

/** Undefined when the previous secret no longer signs. */
export function overlapEnd({ old_secret_until: until }: Pick<Webhook, 'old_secret_until'>) {
  return until !== null && Date.parse(until) > Date.now() ? until : undefined;
}

export const deliveryTones: Readonly<Record<WebhookDelivery['state'], Tone>> = {
  pending: 'accent',
  delivered: 'good',
  failed: 'bad',
};

/** Amber while it is being retried. */
export function toneOf({ state, attempts }: Pick<WebhookDelivery, 'state' | 'attempts'>): Tone {
  return state === 'pending' && attempts > 0 ? 'warn' : deliveryTones[state];
}
