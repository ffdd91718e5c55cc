// Labels for webhook events, and until when a previous secret signs.
import type { EventType, SubscribableEvent, Webhook, WebhookDelivery } from '@trivium/contract';
import type { Tone } from '../components/basics.tsx';

type GatewayEvent = Extract<SubscribableEvent, `provider.${string}`>;
type AccountEvent = Exclude<SubscribableEvent, GatewayEvent>;

const accountEventLabels: Readonly<Record<AccountEvent, string>> = {
  'job.completed': 'Transcription ready',
  'job.failed': 'Transcription failed',
  'balance.low': 'Low balance',
  'cap.reached': 'Key cap reached',
  'budget.reached': 'Budget at 80% or 100%',
  'key.created': 'Key created',
  'key.revoked': 'Key revoked',
};

const gatewayEventLabels: Readonly<Record<GatewayEvent, string>> = {
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

/** The states of the API. A delivery that is not finished is waiting or, once it failed, retrying. */
export const stateLabels: Readonly<Record<WebhookDelivery['state'], string>> = {
  pending: 'Waiting or retrying',
  delivered: 'Delivered',
  failed: 'Failed',
};

type Progress = Pick<WebhookDelivery, 'state' | 'attempts'>;

export function stateOf({ state, attempts }: Progress): readonly [Tone, string] {
  if (state === 'delivered') return ['good', stateLabels.delivered];
  if (state === 'failed') return ['bad', stateLabels.failed];
  return attempts > 0 ? ['warn', 'Retrying'] : ['accent', 'Waiting'];
}

/** So many of the latest deliveries say how an endpoint is. */
const healthCount = 5;

/** How the latest deliveries to an endpoint went; newest first. */
export function healthOf(deliveries: readonly Progress[]): readonly [Tone, string, note?: string] {
  const latest = deliveries.filter(({ attempts }) => attempts > 0).slice(0, healthCount);
  const failed = latest.filter(({ state }) => state !== 'delivered').length;
  if (failed === 0) return ['good', 'Active'];
  const note = `${failed} of the latest ${latest.length} not delivered`;
  return failed === latest.length ? ['bad', 'Failing', note] : ['warn', 'Unreliable', note];
}
