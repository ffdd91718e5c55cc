// How `auto` chooses a provider: the settings for each tool.
import { extractEngineIds, routings, searchEngineIds, transcriberIds } from '@trivium/contract';
import type { ProviderId, Routing } from '@trivium/contract';
import type { z } from 'zod';
import { weights } from './setting-lists.ts';
import { oneOf, share } from './setting-values.ts';

const plain = ['order', 'cheapest', 'fastest', 'weighted'] as const;

export const routingVariables = {
  TRIVIUM_AUTO_SEARCH_ROUTING: routingBy(routings),
  TRIVIUM_AUTO_EXTRACT_ROUTING: routingBy(plain),
  TRIVIUM_AUTO_TRANSCRIPTION_ROUTING: routingBy(plain),
  TRIVIUM_AUTO_SEARCH_WEIGHTS: weightsOf(searchEngineIds),
  TRIVIUM_AUTO_EXTRACT_WEIGHTS: weightsOf(extractEngineIds),
  TRIVIUM_AUTO_TRANSCRIPTION_WEIGHTS: weightsOf(transcriberIds),
  TRIVIUM_AUTO_QUALITY_BAR: share
    .default(0.05)
    .describe(
      'for routing by `quality`: how far below the best engine one may be, as a share; see ' +
        '[Choosing an engine](choosing.md#routing-by-quality)',
    ),
  TRIVIUM_AUTO_QUALITY_EXPLORATION: share
    .default(0.02)
    .describe('for routing by `quality`: the share of searches for which another engine is tried'),
};

function routingBy<const T extends readonly [string, ...string[]]>(kinds: T) {
  return oneOf(kinds)
    .default('order' as never)
    .describe(
      `how \`auto\` chooses: ${kinds.map((kind) => `\`${kind}\``).join(', ')}; see ` +
        '[Operating](operating.md#how-auto-chooses-a-provider)',
    );
}

/** A provider without a weight is tried after the others. */
type Weights = Readonly<Partial<Record<ProviderId, number>>>;

function weightsOf(ids: readonly [ProviderId, ProviderId, ...ProviderId[]]) {
  const equal: Weights = Object.fromEntries(ids.map((id) => [id, 1]));
  const description = `the shares of \`weighted\`, such as \`${ids[0]}=3,${ids[1]}=1\``;
  return weights(ids).default(equal).meta({ default: 'all equal', description });
}

/** How `auto` chooses, by tool. */
export function readRouting(v: z.output<z.ZodObject<typeof routingVariables>>) {
  const of = (kind: Routing, weight: Weights) => ({ kind, weights: weight });
  return {
    auto_routing: {
      search: of(v.TRIVIUM_AUTO_SEARCH_ROUTING, v.TRIVIUM_AUTO_SEARCH_WEIGHTS),
      extract: of(v.TRIVIUM_AUTO_EXTRACT_ROUTING, v.TRIVIUM_AUTO_EXTRACT_WEIGHTS),
      transcribe: of(v.TRIVIUM_AUTO_TRANSCRIPTION_ROUTING, v.TRIVIUM_AUTO_TRANSCRIPTION_WEIGHTS),
    },
    quality_routing: {
      bar: v.TRIVIUM_AUTO_QUALITY_BAR,
      exploration: v.TRIVIUM_AUTO_QUALITY_EXPLORATION,
    },
  };
}
