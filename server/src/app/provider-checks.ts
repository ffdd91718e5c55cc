// What this gateway can say of its providers: whether one works, checked with one real, cheap call,
// what each can do and costs, from the tables that serve the requests, and the order of `auto` with
// its reasons, for a plain request to each tool.
import {
  ExtractRequest,
  GatewayError,
  type ProviderCheck,
  type ProviderId,
  type ProviderDescription,
  type ProvidersResponse,
  SearchRequest,
  type ToolDescription,
  type TranscriberId,
  providerIds,
  providerNames,
  transcriptionRequestAllowing,
} from '@trivium/contract';
import { type PriceTable, type ProductName, type Rates, usd } from '../billing/core/index.ts';
import { performExtract, planExtract, priceOfExtract } from '../extract/index.ts';
import { describeSupports, type Supports } from '../negotiation/index.ts';
import type { TranscribeProduct } from '../providers/index.ts';
import {
  type SearchContext,
  explainQuality,
  overlapOf,
  performSearch,
  planSearch,
  priceOfSearch,
} from '../search/index.ts';
import { priceOfTranscription } from '../transcription/index.ts';
import {
  type ReadyProvider,
  type UpstreamContext,
  callProvider,
  explainOrder,
  healthOf,
  providersInTurn,
} from '../upstream/index.ts';

const budget = { timeout_ms: 15_000, maxBytes: 4 * 1024 * 1024 };
const checkQuery = 'weather';
const checkUrl = 'https://example.com/';

export async function checkProvider(context: UpstreamContext, id: string): Promise<ProviderCheck> {
  const provider = providerIds.find((known) => known === id);
  if (!provider) throw new GatewayError('not_found', `There is no provider ${id}.`);
  const started = context.clock.ticks();
  const message = await findProblem(context, provider);
  return {
    provider,
    ok: message === undefined,
    latency_ms: Math.round(context.clock.ticks() - started),
    message: message ?? 'The provider answered as expected.',
  };
}

/** Undefined if the provider works. */
async function findProblem(context: UpstreamContext, id: ProviderId): Promise<string | undefined> {
  const [chosen] = providersInTurn(context, 'search', id, [], {});
  if (chosen.provider.search) {
    const request = SearchRequest.parse({ query: checkQuery, max_results: 1 });
    const outcome = await performSearch(context, planSearch(context, chosen, request), budget);
    return outcome.ok ? undefined : outcome.refusal.message;
  }
  if (chosen.provider.extract) {
    const request = ExtractRequest.parse({ urls: [checkUrl] });
    const outcome = await performExtract(context, planExtract(context, chosen, request), budget);
    return outcome.refusal?.message;
  }
  return (
    chosen.provider.transcribe && findSpeechProblem(context, chosen, chosen.provider.transcribe)
  );
}

/** A transcription is expensive, so this only checks the credential. */
async function findSpeechProblem(
  context: UpstreamContext,
  chosen: ReadyProvider,
  { check }: TranscribeProduct,
): Promise<string | undefined> {
  const once = { key: chosen.upstream.key, isUncounted: true } as const;
  const outcome = await callProvider(context, chosen, check.wire, budget, { once });
  if (outcome.reply && check.statuses.includes(outcome.reply.status)) return undefined;
  return outcome.kind === 'refused'
    ? outcome.refusal.message
    : `the provider answered with status ${outcome.reply.status}`;
}

const search = SearchRequest.parse({ query: 'a plain request' });
const extract = ExtractRequest.parse({ urls: ['https://example.com/'] });
const transcription = transcriptionRequestAllowing([]).parse({
  audio_url: 'https://example.com/audio.mp3',
});

/** What GET /v1/providers returns. */
export function describeAll(
  context: SearchContext,
  simulated: (id: ProviderId) => ProviderDescription['simulated'],
): ProvidersResponse {
  const { prices, settings } = context;
  const described = Object.values(context.providers).map((configured) => {
    const overlap = context.overlap && overlapOf(context.overlap, configured.provider.id);
    const periods = simulated(configured.provider.id);
    return {
      ...describeProvider(configured, prices),
      ...(periods ? { simulated: periods } : {}),
      ...(overlap ? { overlap } : {}),
    };
  });
  return {
    mode: settings.mode,
    providers: described,
    auto: describeAuto(context),
  };
}

export function describeProvider(
  { provider, state, guard }: SearchContext['providers'][ProviderId],
  prices: PriceTable,
): ProviderDescription {
  const { id, search, extract, transcribe } = provider;
  const rates = prices[id] ?? {};
  return {
    id,
    name: providerNames[id],
    state,
    ...(guard && state === 'configured' ? { health: healthOf(guard) } : {}),
    tools: {
      ...(search ? { search: describeTool(search.supports, 'search', rates.search) } : {}),
      ...(extract ? { extract: describeTool(extract.supports, 'extract', rates.extract) } : {}),
      ...(transcribe
        ? {
            transcription: {
              ...describeTool(transcribe.supports, 'transcribe', rates.transcribe),
              surcharges: inUsd(only(rates.transcribe ?? {}, transcribe.price.surcharges)),
            },
          }
        : {}),
    },
  };
}

function describeTool(supports: Supports, tool: ProductName, rates: Rates = {}): ToolDescription {
  return { capabilities: describeSupports(supports, tool), prices: inUsd(rates) };
}

function inUsd(rates: Rates): Record<string, number> {
  return Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, usd(rate)]));
}

function only(rates: Rates, names: readonly string[]): Rates {
  return Object.fromEntries(Object.entries(rates).filter(([name]) => names.includes(name)));
}

function describeAuto(context: SearchContext): ProvidersResponse['auto'] {
  const { auto_search, auto_extract, auto_transcription } = context.settings;
  const priceOf = (chosen: ReadyProvider) => priceOfSearch(context, chosen, search);
  return {
    search: context.routingEvidence
      ? explainQuality(context, search, priceOf)
      : explainOrder(context, 'search', auto_search, priceOf),
    extract: explainOrder(context, 'extract', auto_extract, (chosen) =>
      priceOfExtract(context, chosen, extract),
    ),
    transcription: explainOrder(context, 'transcribe', auto_transcription, ({ provider }) =>
      priceOfTranscription(context, provider.id as TranscriberId, transcription),
    ),
  };
}
