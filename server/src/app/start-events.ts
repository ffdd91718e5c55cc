// Starts the delivery of events, and connects its counts to Prometheus.
import { Counter } from 'prom-client';
import type { ProviderId } from '@trivium/contract';
import {
  makeEventBodies,
  makePostWebhook,
  startDeliveryWorker,
  startProviderWatch,
} from '../events/index.ts';
import type { DeliveryNotes, EventsContext } from '../events/index.ts';
import { startBudgetWatch } from '../billing/index.ts';
import { newId } from '../platform/ids.ts';
import { machine } from '../platform/machine.ts';
import type { Metrics } from '../platform/metrics.ts';
import { readJobParts } from '../transcription/index.ts';
import { healthOf } from '../upstream/index.ts';
import type { AppContext } from './context.ts';

export function startEvents(
  base: AppContext,
  secret: string,
  metrics: Metrics,
  results: DeliveryNotes,
) {
  const { database } = base;
  const context: EventsContext = {
    ...base,
    secret,
    owner: newId('sender'),
    random: machine.random,
    post: makePostWebhook(),
    openBody: makeEventBodies((id, admit) => readJobParts(database, id, admit), base.bytes),
    attempted: makeCounts(metrics),
    results,
    nudge: () => worker.nudge(),
  };
  const worker = startDeliveryWorker(context);
  const watch = startProviderWatch(context, () => openCircuitsOf(base.providers));
  const budgets = startBudgetWatch(context);
  return {
    context,
    stop: async () => {
      watch.stop();
      budgets.stop();
      await Promise.all([worker.stop(), watch.ended, budgets.ended]);
    },
  };
}

function openCircuitsOf(providers: AppContext['providers']): Set<ProviderId> {
  const all = Object.values(providers);
  const open = all.filter(({ guard }) => guard && healthOf(guard).circuit !== 'closed');
  return new Set(open.map(({ provider }) => provider.id));
}

const attemptSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function makeCounts({ registry, histogram }: Metrics): EventsContext['attempted'] {
  const attempts = new Counter({
    name: 'trivium_webhook_attempts_total',
    help: 'Attempts to deliver an event: delivered, retried later, or failed permanently.',
    labelNames: ['event', 'outcome'],
    registers: [registry],
  });
  const help = 'Duration of an attempt to deliver an event.';
  const addSeconds = histogram('trivium_webhook_attempt_seconds', help, attemptSeconds);
  return (event, outcome, ms) => {
    attempts.inc({ event, outcome });
    addSeconds(ms / 1000);
  };
}
