// Every value of every parameter, and the calls that the gateway would make for a request: the
// plans of the services without an upstream.
import {
  ExtractRequest,
  type ProviderId,
  SearchRequest,
  TranscriptionRequest,
  type TranscriberId,
  type Warning,
} from '@trivium/contract';
import { planExtract } from '../src/extract/extract-plan.ts';
import { submissionOf } from '../src/providers/shared/native-options.ts';
import { providers } from '../src/providers/registry.ts';
import type { WireRequest } from '../src/providers/shared/wire-request.ts';
import { planSearch } from '../src/search/search-engine.ts';
import { plannedAttempt, planTranscription } from '../src/transcription/transcribe.ts';
import { outgoingOf } from '../src/upstream/call-provider.ts';
import { providersWith } from './configured-providers.ts';
import { fakeContext, type Fixture, shown } from './play.ts';

export type Body = Record<string, unknown>;

const each = (param: string, values: readonly unknown[]): Body[] =>
  values.map((value) => nested(param.split('.'), value));

function nested([name = '', ...rest]: readonly string[], value: unknown): Body {
  return { [name]: rest.length === 0 ? value : nested(rest, value) };
}

export const searchValues: readonly Body[] = [
  ...each('max_results', [1, 9, 21, 100]),
  ...each('mode', ['instant', 'fast', 'balanced', 'deep']),
  ...each('include_domains', [['a.example'], ['*.b.example'], ['c.example/docs'], ['.gov']]),
  ...each('exclude_domains', [['a.example'], ['*.b.example'], ['c.example/docs'], ['.gov']]),
  ...each('published_after', ['2026-03-09']),
  ...each('published_before', ['2026-03-09']),
  ...each('freshness', ['day', 'week', 'month', 'year']),
  ...each('content.full_text', [true]),
  ...each('content.summary', [true]),
  ...each('locale.country', ['us', 'GB', 'UK', 'zz']),
  ...each('locale.language', ['en', 'xx']),
  ...each('category', ['news', 'company', 'people', 'research']),
  ...each('safe_search', ['off', 'moderate', 'strict']),
  ...each('offset', [1, 10, 500]),
].map((body) => ({ query: 'tides', ...body }));

export const extractValues: readonly Body[] = [
  ...each('query', ['tides']),
  ...each('content.excerpts', [{}, { max_per_url: 2, max_chars_per_excerpt: 100 }]),
  ...each('content.summary', [true]),
  ...each('content.format', ['text']),
  ...each('include_links', [true]),
  ...each('include_images', [true]),
  ...each('max_age_hours', [0, 720]),
  ...each('timeout_ms', [1000, 90_000]),
].map((body): Body => ({ urls: ['https://a.example/'], ...body }));

export const transcriptionValues: readonly Body[] = [
  ...each('language', ['en', 'en-GB', 'pt-BR', 'zh-HK', 'haw', 'xx']),
  ...each('diarize', [true]),
  ...each('keyterms', [['tidal lagoon']]),
].map((body): Body => ({ audio_url: 'https://audio.example/a.mp3', ...body }));

export interface Planned {
  sent: Fixture['sent'];
  warnings: Warning[];
}

const now = '2026-11-15T12:00:00.000Z';
const fixture = { asked: {}, now, sent: [], received: [], answered: {}, warned: [] };
const unlimited = { timeout_ms: 1, maxBytes: 1 };

/** For each tool of a provider: what a request, written without `provider`, becomes. */
export function plansOf(id: ProviderId): {
  search?: (body: Body) => Planned;
  extract?: (body: Body) => Planned;
  transcribe?: (body: Body) => Planned;
} {
  const provider = providers[id];
  const { context, chosen } = fakeContext(provider, fixture, []);
  const sentOf = (wires: readonly WireRequest[]) =>
    wires.map((wire) => shown(outgoingOf(chosen, wire, unlimited, chosen.upstream.key, 1)));
  const search = (body: Body) => {
    const plan = planSearch(context, chosen, SearchRequest.parse({ ...body, provider: id }));
    return { sent: sentOf(plan.sent), warnings: plan.negotiated.warnings };
  };
  const extract = (body: Body) => {
    const plan = planExtract(context, chosen, ExtractRequest.parse({ ...body, provider: id }));
    return { sent: sentOf(plan.requests.flatMap(({ sent }) => sent)), warnings: plan.warnings };
  };
  const configured = providersWith({ [id]: { provider, state: 'configured' } });
  const transcribe = (body: Body) => {
    const request = TranscriptionRequest.parse({ ...body, provider: id });
    const speechContext = { ...context, providers: configured };
    const plan = planTranscription(speechContext, id as TranscriberId, request);
    const wire = submissionOf(plan.product, plannedAttempt(plan));
    return { sent: sentOf([wire]), warnings: plan.warnings };
  };
  return {
    ...(provider.search ? { search } : {}),
    ...(provider.extract ? { extract } : {}),
    ...(provider.transcribe ? { transcribe } : {}),
  };
}
