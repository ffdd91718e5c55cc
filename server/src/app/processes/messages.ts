// The messages between a supervisor and its processes, over Bun's IPC.
import type { Registry } from 'prom-client';

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
