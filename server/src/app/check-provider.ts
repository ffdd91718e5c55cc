// Checks a provider with one real, cheap call, so that an operator can see whether it works.
import type { ProviderCheck, ProviderId } from '@trivium/contract';
import { ExtractRequest, GatewayError, providerIds, SearchRequest } from '@trivium/contract';
import type { TranscribeProduct } from '../providers/index.ts';
import {
  callProvider,
  providersInTurn,
  type ReadyProvider,
  type UpstreamContext,
} from '../upstream/index.ts';
import { performExtract, planExtract } from '../extract/index.ts';
import { performSearch, planSearch } from '../search/index.ts';

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
  const [chosen] = providersInTurn(context, 'search', id, []);
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
