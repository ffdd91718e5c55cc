// What a supervisor and its processes send each other over Bun's IPC.
import type { Registry } from 'prom-client';

export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface RenderedMetrics {
  type: string;
  text: string;
}

export type FromProcess =
  /** It listens. */
  | { type: 'ready' }
  /** Sent again and again: its event loop turns. */
  | { type: 'alive' }
  | { type: 'own_metrics'; values: MetricValues }
  /** It was asked for the metrics of all processes. */
  | { type: 'metrics_wanted' };

export type FromSupervisor =
  | { type: 'own_metrics_wanted' }
  | { type: 'metrics'; rendered: RenderedMetrics };

/** The variable in which a supervisor passes a process its role; not for operators. */
export const assignmentVariable = 'TRIVIUM_SUPERVISED';
