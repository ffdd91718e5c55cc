// The order of `auto` for one request: fixed, or by price, latency or weight, as the operator
// chooses.
import type { AutoOrder, ProviderId, Routing, ToolName } from '@trivium/contract';
import { allowedOrder } from '../requests/index.ts';
import { usd } from '../billing/core/index.ts';
import type { Settings } from '../settings/index.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import { isReady } from './choose-provider.ts';
import type { ReadyProvider, Tool } from './choose-provider.ts';
import type { ConfiguredProviders } from './configured-providers.ts';
import type { Latencies } from './core/latencies.ts';
import { isMeasured, routeCandidates } from './core/routing.ts';
import type { Candidate } from './core/routing.ts';

interface AutoContext {
  providers: ConfiguredProviders;
  /** Absent if no tool is routed by latency. */
  latencies?: Latencies;
  /** A random number from 0 to 1. Absent if no tool is routed by weight. */
  random?: () => number;
  settings: Pick<Settings, 'auto_routing'>;
}

/** The most that the request can cost with a provider. Throws if the provider cannot serve it. */
type PriceOf = (chosen: ReadyProvider) => number;

/** Contains only providers that the caller's policy allows. Empty if one is named. */
export function autoOrder(
  context: AutoContext,
  tool: Tool,
  asked: ProviderId | 'auto',
  fixed: readonly ProviderId[],
  policy: RequestPolicy | undefined,
  priceOf: PriceOf,
): readonly ProviderId[] {
  if (asked !== 'auto') return [];
  const order = allowedOrder(policy, fixed);
  const { kind } = context.settings.auto_routing[tool];
  if (kind === 'order') return order;
  return routed(context, tool, order, priceOf).map(({ id }) => id);
}

/** The current order, with the reason for each position. */
export function explainOrder(
  context: AutoContext,
  tool: Tool,
  fixed: readonly ProviderId[],
  priceOf: PriceOf,
): AutoOrder {
  const { kind } = context.settings.auto_routing[tool];
  const order = routed(context, tool, fixed, priceOf);
  // The order is random for every request, so here the provider with the largest weight comes
  // first.
  const ordered =
    kind === 'weighted'
      ? order.toSorted((one, other) => (other.weight ?? 0) - (one.weight ?? 0))
      : order;
  return {
    routing: kind,
    order: ordered.map((one) => ({ provider: one.id, reason: reasonOf(kind, one) })),
  };
}

function routed(
  { providers, latencies, random = () => 0, settings }: AutoContext,
  tool: Tool,
  order: readonly ProviderId[],
  priceOf: PriceOf,
): Candidate[] {
  const { kind, weights } = settings.auto_routing[tool];
  const candidates = order.flatMap((id): Candidate[] => {
    const chosen = providers[id];
    if (!isReady(chosen)) return [];
    if (kind === 'cheapest') return [{ id, price: priceIfAble(chosen, priceOf) }];
    if (kind === 'fastest') return [{ id, measured: latencies?.measured(toolNameOf[tool], id) }];
    return [{ id, weight: weights[id] }];
  });
  return routeCandidates(kind, candidates, random);
}

/** A provider that cannot serve the request comes last, where it refuses with its reason. */
export function priceIfAble(chosen: ReadyProvider, priceOf: PriceOf): number | undefined {
  try {
    return priceOf(chosen);
  } catch {
    return undefined;
  }
}

function reasonOf(kind: Routing, { price, measured, weight }: Candidate): string {
  switch (kind) {
    case 'order':
    case 'quality':
      return 'its place in the fixed order';
    case 'cheapest':
      return price === undefined
        ? 'it cannot serve a plain request'
        : `a plain request costs at most ${usd(price)} USD`;
    case 'fastest':
      return isMeasured(measured)
        ? `half of its latest ${measured.answers} answers took at most ${measured.p50_ms} ms`
        : 'it has too few recent answers, so it is tried first';
    case 'weighted':
      return `its weight is ${weight ?? 0}`;
  }
}

const toolNameOf: Readonly<Record<Tool, ToolName>> = {
  search: 'search',
  extract: 'extract',
  transcribe: 'transcription',
};
