// The counting functions that the capabilities call; app/metrics.ts connects them to Prometheus.
import type { ToolName } from '@trivium/contract';

export interface ServiceMetrics {
  served: (tool: ToolName, provider: string, status: number, ms: number) => void;
  /** A part of an answer that may come from the cache: `hit`, `joined` or `miss`. */
  cached: (tool: ToolName, from: string) => void;
  called: (provider: string, result: string, ms: number) => void;
  batch: (size: number, ms: number) => void;
  /** A deferred settlement could not be booked. */
  unbooked: () => void;
  /** A refused request was not logged. */
  unlogged: () => void;
}
