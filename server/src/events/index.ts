// The parts of events that other modules may use.
export { readAccountSecret, rotateAccountSecret } from './secrets.ts';
export type { DeliveryNotes, EventsContext, Receiver } from './context.ts';
export {
  accountOfDelivery,
  noDelivery,
  readDeliveries,
  readDelivery,
  redeliver,
} from './deliveries.ts';
export { makeEventBodies, startDeliveryWorker } from './deliver.ts';
export {
  accountOfWebhook,
  changeWebhook,
  createWebhook,
  noWebhook,
  readWebhook,
  readWebhooks,
  removeWebhook,
  rotateWebhookSecret,
  sendTestEvent,
} from './endpoints.ts';
export { type NewEvent, writeEvent } from './write-event.ts';
export { makePostWebhook } from './post-webhook.ts';
export { countPending, eventExpiry, type PendingCount } from './store/deliveries.ts';
export { startProviderWatch } from './watch-providers.ts';
