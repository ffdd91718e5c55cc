// The parts of events that other modules may use.
export { readAccountSecret, rotateAccountSecret } from './account-secret.ts';
export type { DeliveryContext, WebhookContext } from './context.ts';
export {
  accountOfDelivery,
  noDelivery,
  readDeliveries,
  readDelivery,
  redeliver,
} from './deliveries.ts';
export { startDeliveryWorker } from './delivery-worker.ts';
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
export { makeEventBodies } from './event-bodies.ts';
export { writeEvent } from './write-event.ts';
export { makePostWebhook } from './post-webhook.ts';
export { countPending, eventExpiry, type PendingCount } from './store/deliveries.ts';
export { startProviderWatch } from './watch-providers.ts';
