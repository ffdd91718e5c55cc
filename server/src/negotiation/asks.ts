// Flattens a request into asks, once: every parameter by its API name, and which values are
// neutral.
import type { ExtractRequest, SearchRequest } from '@trivium/contract';
import type { Asks } from './support.ts';

/** What an adapter receives for a search: granted values only, in the provider's terms. */
export interface SearchAsk {
  query: string;
  max_results: number;
  mode?: string;
  include_domains?: string[];
  exclude_domains?: string[];
  published_after?: string;
  published_before?: string;
  freshness?: string;
  'content.full_text'?: boolean;
  'content.summary'?: boolean;
  'content.snippets.max_per_result'?: number;
  'content.snippets.max_chars_per_snippet'?: number;
  'locale.country'?: string;
  'locale.language'?: string;
  category?: string;
  safe_search?: string;
  offset?: number;
}

export interface ExtractAsk {
  query?: string;
  'content.full_text': boolean;
  'content.max_chars'?: number;
  'content.excerpts'?: { max_per_url?: number; max_chars_per_excerpt?: number };
  'content.summary'?: boolean;
  'content.format'?: string;
  include_links?: boolean;
  include_images?: boolean;
  max_age_hours?: number;
  timeout_ms?: number;
}

export type SearchParam = keyof SearchAsk;
export type ExtractParam = keyof ExtractAsk;

/** Every search parameter, in the order of the interface. */
export const searchParams = Object.keys({
  query: 0,
  max_results: 0,
  mode: 0,
  include_domains: 0,
  exclude_domains: 0,
  published_after: 0,
  published_before: 0,
  freshness: 0,
  'content.snippets.max_per_result': 0,
  'content.snippets.max_chars_per_snippet': 0,
  'content.full_text': 0,
  'content.summary': 0,
  'locale.country': 0,
  'locale.language': 0,
  category: 0,
  safe_search: 0,
  offset: 0,
} satisfies Record<SearchParam, 0>);

/** Every extraction parameter, in the order of the interface. */
export const extractParams = Object.keys({
  query: 0,
  'content.full_text': 0,
  'content.max_chars': 0,
  'content.excerpts': 0,
  'content.summary': 0,
  'content.format': 0,
  include_links: 0,
  include_images: 0,
  max_age_hours: 0,
  timeout_ms: 0,
} satisfies Record<ExtractParam, 0>);

export function searchAsks(request: SearchRequest): Asks {
  return present({
    query: request.query,
    max_results: request.max_results,
    mode: request.mode,
    include_domains: request.include_domains,
    exclude_domains: request.exclude_domains,
    published_after: request.published_after,
    published_before: request.published_before,
    freshness: request.freshness,
    'content.full_text': request.content?.full_text,
    'content.summary': request.content?.summary,
    'content.snippets.max_per_result': request.content?.snippets?.max_per_result,
    'content.snippets.max_chars_per_snippet': request.content?.snippets?.max_chars_per_snippet,
    'locale.country': request.locale?.country,
    'locale.language': request.locale?.language,
    category: request.category,
    safe_search: request.safe_search,
    offset: request.offset,
  } satisfies Record<SearchParam, unknown>);
}

export function extractAsks(request: ExtractRequest): Asks {
  return present({
    query: request.query,
    'content.full_text': request.content?.full_text ?? true,
    'content.max_chars': request.content?.max_chars,
    'content.excerpts': request.content?.excerpts,
    'content.summary': request.content?.summary,
    'content.format': request.content?.format,
    include_links: request.include_links,
    include_images: request.include_images,
    max_age_hours: request.max_age_hours,
    timeout_ms: request.timeout_ms,
  } satisfies Record<ExtractParam, unknown>);
}

/** A neutral value: honoured by doing nothing, so it never causes a warning. */
export function isNeutral(param: string, value: unknown): boolean {
  if (value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return neutralValues[param] === value;
}

const neutralValues: Readonly<Record<string, unknown>> = {
  offset: 0,
  category: 'general',
  safe_search: 'off',
  'content.format': 'markdown',
};

function present(asks: Record<string, unknown>): Asks {
  const kept: Record<string, unknown> = {};
  for (const param in asks) if (asks[param] !== undefined) kept[param] = asks[param];
  return kept;
}
