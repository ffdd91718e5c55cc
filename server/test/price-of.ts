// Prices a request with native options as the services do: negotiated, merged and read by the rule
// of its product, with nothing sent and no ceiling. It accepts any options, also invalid ones.
import { ExtractRequest, SearchRequest, TranscriptionRequest } from '@trivium/contract';
import type { ProviderId, TranscriberId } from '@trivium/contract';
import { extractAsks, searchAsks } from '../src/negotiation/asks.ts';
import type { ExtractAsk, SearchAsk } from '../src/negotiation/asks.ts';
import { negotiate, type Supports } from '../src/negotiation/negotiate.ts';
import type { Asks } from '../src/negotiation/support.ts';
import type { Cost, Rates } from '../src/billing/core/prices.ts';
import { providers } from '../src/providers/registry.ts';
import type { WireRequest } from '../src/providers/shared/wire-request.ts';
import { optionsSent } from '../src/providers/shared/native-options.ts';
import { plannedAttempt, planTranscription } from '../src/transcription/transcribe.ts';
import { providersWith } from './configured-providers.ts';
import { withOptions } from '../src/upstream/native-options.ts';

/** Native options by their path, such as `contents.subpages`. */
export type Options = Readonly<Record<string, unknown>>;

/** What the vendor answered; absent before the call. */
export interface Answer {
  bodies: readonly unknown[];
  delivered: number;
}

export interface Priced {
  id: ProviderId;
  product: 'search' | 'extract';
  options?: Options;
  /** More of the request than a query or one page. */
  asked?: object;
  rates?: Rates;
  answer?: Answer;
}

export function costOf({
  id,
  product,
  options = {},
  asked = {},
  rates = {},
  answer,
}: Priced): Cost {
  const { search, extract } = providers[id];
  const sentWith = (wires: WireRequest[]) =>
    wires.map((wire) => withOptions(wire, nested(options)));
  if (product === 'search' && search) {
    const request = SearchRequest.parse({ query: 'tides', ...asked, provider: id });
    const ask = granted(search.supports, searchAsks(request)) as SearchAsk;
    const sent = sentWith(search.toRequests({ ask, now }));
    const { bodies, delivered } = answer ?? { bodies: [], delivered: ask.max_results };
    return search.price.cost({ sent, bodies, delivered, keyless: false, rates });
  }
  if (!extract) throw new Error(`${id} has no ${product} product`);
  const request = ExtractRequest.parse({ urls: ['https://example.org/a'], ...asked, provider: id });
  const ask = granted(extract.supports, extractAsks(request)) as ExtractAsk;
  const sent = sentWith(extract.toRequests({ urls: request.urls, ask, now }));
  const { bodies, delivered } = answer ?? { bodies: [], delivered: request.urls.length };
  return extract.price.cost({ sent, bodies, delivered, keyless: false, rates, ask });
}

const now = new Date('2026-11-16T12:00:00Z');

function granted(supports: Supports, asks: Asks): unknown {
  return negotiate(supports, asks, now).granted;
}

/** The price of an hour of audio. */
export function hourOf(id: TranscriberId, options: Options): number {
  const configured = { provider: providers[id], state: 'configured' } as const;
  const context = { providers: providersWith({ [id]: configured }), clock: { now: () => now } };
  const audioUrl = 'https://example.org/a.mp3';
  const fields = TranscriptionRequest.parse({ audio_url: audioUrl, provider: id });
  const request = { ...fields, provider_options: { [id]: nested(options) } };
  const plan = planTranscription(context, id, request);
  const sent = optionsSent(plan.product, plannedAttempt(plan));
  return plan.product.price.cost({ sent, seconds: 3600, rates: {} });
}

/** A path below one whose value is not an object is left out. */
function nested(options: Options): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const path of Object.keys(options).toSorted()) {
    const names = path.split('.');
    let place: unknown = whole;
    for (const name of names.slice(0, -1)) {
      if (!isObject(place)) break;
      place = place[name] ??= {};
    }
    if (isObject(place)) place[names.at(-1) ?? ''] = options[path];
  }
  return whole;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
