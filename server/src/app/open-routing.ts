// What the routing of `auto` needs besides the settings: measured latencies and random numbers.
import type { ToolName } from '@trivium/contract';
import { makeRoutingEvidence, type RoutingEvidence } from '../quality/index.ts';
import type { Clock } from '../platform/clock.ts';
import { machine } from '../platform/machine.ts';
import type { Settings } from '../settings/index.ts';
import { seedLatencies } from '../reporting/index.ts';
import type { Database } from '../store/index.ts';
import { type Latencies, makeLatencies } from '../upstream/core/index.ts';

interface RoutingContext {
  database: Database;
  clock: Clock;
  settings: Pick<Settings, 'auto_routing'>;
}

/** Latencies are measured only if a tool is routed by latency. */
export async function openRouting(
  context: RoutingContext,
): Promise<{ latencies?: Latencies; routingEvidence?: RoutingEvidence; random: () => number }> {
  const { search, extract, transcribe } = context.settings.auto_routing;
  const random = machine.random;
  const byQuality =
    search.kind === 'quality' ? { routingEvidence: makeRoutingEvidence(context) } : {};
  await byQuality.routingEvidence?.refresh();
  const routed = { search, extract, transcription: transcribe };
  const tools = (Object.keys(routed) as ToolName[]).filter(
    (tool) => routed[tool].kind === 'fastest',
  );
  if (tools.length === 0) return { ...byQuality, random };
  const latencies = makeLatencies(() => context.clock.now().getTime());
  await seedLatencies(context, latencies, tools);
  return { ...byQuality, latencies, random };
}
