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

const routing = oneOf(['order', 'cheapest', 'fastest', 'weighted']).default('order');
const share = z.coerce
  .number('must be a share from 0 to 1')
  .min(0, 'must be at least 0')
  .max(1, 'must be at most 1');

/** Of routing by quality. */
export interface QualityRouting {
  /** How far below the best an engine may be, as a share of the best. */
  bar: number;
  /** The share of requests for which another engine is tried. */
  exploration: number;
}

export const routingVariables = {
  TRIVIUM_AUTO_SEARCH_ROUTING: oneOf(routings).default('order'),
  TRIVIUM_AUTO_QUALITY_BAR: share.default(0.05),
  TRIVIUM_AUTO_QUALITY_EXPLORATION: share.default(0.02),
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

export function readQualityRouting(v: z.infer<typeof RoutingVariables>): QualityRouting {
  return { bar: v.TRIVIUM_AUTO_QUALITY_BAR, exploration: v.TRIVIUM_AUTO_QUALITY_EXPLORATION };
}
