// One real and cheap call to a provider, so that an operator sees whether it works.
import type { ProviderCheck, ProviderId } from '@trivium/contract';
import { ExtractRequest, GatewayError, provider_ids, SearchRequest } from '@trivium/contract';
import { refusalOf } from '../domain/refusal.ts';
import type { TranscribeProduct } from '../providers/transcribe-product.ts';
import { outgoingOf } from './call-provider.ts';
import { chooseProvider } from './choose-provider.ts';
import type { Chosen } from './choose-provider.ts';
import { performExtract } from './extract-pages.ts';
import { planExtract } from './extract-plan.ts';
import type { House } from './house.ts';
import { sendRedacted } from './redact.ts';
import { performSearch, planSearch } from './search-one.ts';

const budget = { timeout_ms: 15_000, max_bytes: 4 * 1024 * 1024 };
const check_query = 'weather';
const check_url = 'https://example.com/';

export async function checkProvider(house: House, id: string): Promise<ProviderCheck> {
  const provider = provider_ids.find((known) => known === id);
  if (!provider) throw new GatewayError('not_found', `There is no provider ${id}.`);
  const started = house.clock.ticks();
  const message = await troubleWith(house, provider);
  return {
    provider,
    ok: message === undefined,
    latency_ms: Math.round(house.clock.ticks() - started),
    message: message ?? 'It answered as it should.',
  };
}

/** Undefined when there is none. */
async function troubleWith(house: House, id: ProviderId): Promise<string | undefined> {
  const chosen = chooseProvider(house.stations, 'search', id, [id]);
  if (chosen.provider.search) {
    const request = SearchRequest.parse({ query: check_query, max_results: 1 });
    const outcome = await performSearch(house, planSearch(house, chosen, request), budget);
    return outcome.ok ? undefined : outcome.refusal.message;
  }
  if (chosen.provider.extract) {
    const request = ExtractRequest.parse({ urls: [check_url] });
    const outcome = await performExtract(house, planExtract(house, chosen, request), budget);
    return outcome.refusal?.message;
  }
  return chosen.provider.transcribe && speechTrouble(house, chosen, chosen.provider.transcribe);
}

/** A transcription is not cheap: it is only asked whether it knows us. */
async function speechTrouble(
  house: House,
  chosen: Chosen,
  { check }: TranscribeProduct,
): Promise<string | undefined> {
  const sent = await sendRedacted(house, chosen, outgoingOf(chosen, check.wire, budget));
  if (!sent.ok) return sent.message;
  if (check.statuses.includes(sent.status)) return undefined;
  return refusalOf({ ...sent, body: undefined }).message;
}
