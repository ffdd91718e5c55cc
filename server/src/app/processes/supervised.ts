// A gateway as one of several processes: what its supervisor assigned to it, and the messages
// between the two.
import { type GatewayError, tryLater } from '@trivium/contract';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import { withTimeLimit } from '../../platform/clock.ts';
import { every } from '../../platform/every.ts';
import { StartError } from '../../platform/start-error.ts';
import type { Environment } from '../../settings/index.ts';

export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface RenderedMetrics {
  type: string;
  text: string;
}

export type FromProcess =
  /** The process listens. */
  | { type: 'ready' }
  /** Sent periodically: the event loop of the process is running. */
  | { type: 'alive' }
  | { type: 'own_metrics'; values: MetricValues }
  /** The process was asked for the metrics of all processes. */
  | { type: 'metrics_wanted' };

export type FromSupervisor =
  | { type: 'own_metrics_wanted' }
  | { type: 'metrics'; rendered: RenderedMetrics };

/** The variable in which a supervisor passes a process its role. Not for operators. */
export const assignmentVariable = 'TRIVIUM_SUPERVISED';

const Assignment = z.object({
  /** From 1 to `count`. A replacement takes the number of the process it replaces. */
  number: z.int().min(1),
  count: z.int().min(1),
  /** True if it prints the start-up output. */
  announces: z.boolean(),
  /** The sandbox that all processes share. */
  sandboxUrl: z.url().optional(),
  sandboxSecret: z.string().optional(),
});

export type Assignment = z.infer<typeof Assignment>;

export interface Supervised extends Assignment {
  /** Tells the supervisor that this process serves requests, and from then on that it is alive. */
  reportReady: () => void;
  /**
   * Sends this process's metrics to the supervisor on request. Returns a function that gets the
   * metrics of all processes.
   */
  shareMetrics: (readOwn: () => Promise<MetricValues>) => () => Promise<RenderedMetrics>;
}

/** The IPC of this process, if its parent opened one. */
interface Channel {
  readonly connected: boolean;
  send?: (message: FromProcess) => unknown;
  on: (event: 'message', listener: (message: FromSupervisor) => void) => unknown;
}

/** Several times within the silence that the supervisor tolerates. */
const aliveEveryMs = 1000;
/** The supervisor waits a second for each process. */
const metricsLimitMs = 5000;

/** Undefined in a process without a supervisor. */
export function readSupervised(env: Environment, channel: Channel): Supervised | undefined {
  const text = env[assignmentVariable];
  if (text === undefined || channel.send === undefined) return undefined;
  const send = (message: FromProcess) => {
    // Without a supervisor, this process is about to stop anyway.
    if (channel.connected) channel.send?.(message);
  };
  return {
    ...readAssignment(text),
    reportReady: () => {
      send({ type: 'ready' });
      every(aliveEveryMs, { name: 'alive', work: () => send({ type: 'alive' }) });
    },
    shareMetrics: (readOwn) => {
      let wanted: PromiseWithResolvers<RenderedMetrics> | undefined;
      channel.on('message', (message) => {
        if (message.type === 'metrics') wanted?.resolve(message.rendered);
        // Without an answer, the supervisor uses the latest values it has.
        else readOwn().then((values) => send({ type: 'own_metrics', values }), ignore);
      });
      return async () => {
        if (wanted === undefined) {
          wanted = Promise.withResolvers();
          send({ type: 'metrics_wanted' });
        }
        const { promise } = wanted;
        try {
          return await withTimeLimit(promise, metricsLimitMs, supervisorIsSilent);
        } finally {
          wanted = undefined;
        }
      };
    },
  };
}

const ignore = () => undefined;

function readAssignment(text: string): Assignment {
  try {
    return Assignment.parse(JSON.parse(text));
  } catch {
    throw new StartError(
      `${assignmentVariable} is set by the gateway itself. Remove it from the environment.`,
    );
  }
}

function supervisorIsSilent(): GatewayError {
  const message = 'The metrics of all processes could not be collected in time.';
  return tryLater('provider_not_available', message, 1);
}
