// How `auto` chooses a provider: the settings for each tool.
import { extractEngineIds, routings, searchEngineIds, transcriberIds } from '@trivium/contract';
import type { ProviderId, Routing } from '@trivium/contract';
import { z } from 'zod';
import { weights } from './setting-lists.ts';
import { oneOf } from './setting-values.ts';

/** The weights apply to `weighted`. A provider without a weight is tried after the others. */
interface RoutingSetting {
  kind: Routing;
  weights: Readonly<Partial<Record<ProviderId, number>>>;
}

export type RoutingSettings = Readonly<Record<'search' | 'extract' | 'transcribe', RoutingSetting>>;

const routing = oneOf(routings).default('order');

export const routingVariables = {
  TRIVIUM_AUTO_SEARCH_ROUTING: routing,
  TRIVIUM_AUTO_EXTRACT_ROUTING: routing,
  TRIVIUM_AUTO_TRANSCRIPTION_ROUTING: routing,
  TRIVIUM_AUTO_SEARCH_WEIGHTS: weights(searchEngineIds).optional(),
  TRIVIUM_AUTO_EXTRACT_WEIGHTS: weights(extractEngineIds).optional(),
  TRIVIUM_AUTO_TRANSCRIPTION_WEIGHTS: weights(transcriberIds).optional(),
};

const RoutingVariables = z.object(routingVariables);

/** Without weights, all providers have the same weight. */
export function readRouting(v: z.infer<typeof RoutingVariables>): RoutingSettings {
  const equal = (ids: readonly ProviderId[]) => Object.fromEntries(ids.map((id) => [id, 1]));
  return {
    search: {
      kind: v.TRIVIUM_AUTO_SEARCH_ROUTING,
      weights: v.TRIVIUM_AUTO_SEARCH_WEIGHTS ?? equal(searchEngineIds),
    },
    extract: {
      kind: v.TRIVIUM_AUTO_EXTRACT_ROUTING,
      weights: v.TRIVIUM_AUTO_EXTRACT_WEIGHTS ?? equal(extractEngineIds),
    },
    transcribe: {
      kind: v.TRIVIUM_AUTO_TRANSCRIPTION_ROUTING,
      weights: v.TRIVIUM_AUTO_TRANSCRIPTION_WEIGHTS ?? equal(transcriberIds),
    },
  };
}
