// What the routing of `auto` needs besides the settings: measured latencies and random numbers.
import type { ToolName } from '@trivium/contract';
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
): Promise<{ latencies?: Latencies; random: () => number }> {
  const { search, extract, transcribe } = context.settings.auto_routing;
  const routed = { search, extract, transcription: transcribe };
  const tools = (Object.keys(routed) as ToolName[]).filter(
    (tool) => routed[tool].kind === 'fastest',
  );
  if (tools.length === 0) return { random: machine.random };
  const latencies = makeLatencies(() => context.clock.now().getTime());
  await seedLatencies(context, latencies, tools);
  return { latencies, random: machine.random };
}
