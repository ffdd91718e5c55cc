// The definition of a provider. An adapter is data and pure functions; time, money, retries and the
// network are handled elsewhere.
import type { ProviderId } from '@trivium/contract';
import type { ExtractAsk, SearchAsk } from '../negotiation/index.ts';
import type { Refusal, Reply } from '../upstream/core/index.ts';
import type { Row } from './shared/rows.ts';
import type { PricedCall, PricedExtraction, PriceRule } from './shared/price-rule.ts';
import type { WireRequest } from './shared/wire-request.ts';
import type { RefusedOptions } from './shared/refused-options.ts';
import type { VendorWarnings } from './shared/vendor-warnings.ts';
import type { TranscribeProduct } from './shared/transcribe-product.ts';

export interface Provider {
  id: ProviderId;
  credential: {
    /** The variables to look for. The first one that is set wins. */
    env: readonly string[];
    /** A self-hosted upstream, configured by its base address, needs no credential. */
    not_needed_with_base?: boolean;
  };
  /** Base addresses by role. A request without a role uses `api`. */
  hosts: Readonly<Record<string, Host>>;
  auth: (key: string) => Record<string, string>;
  /**
   * Reads what is specific to this vendor: its error bodies, failures with status 200, and answers
   * with a 4xx status.
   */
  read?: (reply: Reply) => Refusal | 'no_results' | 'answer' | undefined;
  search?: SearchProduct;
  extract?: ExtractProduct;
  transcribe?: TranscribeProduct;
}

interface Host {
  env: string;
  default: string;
}

/** The same request in another form, if a refusal shows that the vendor needs it. */
export type Repeat = (refusal: Refusal, wire: WireRequest) => WireRequest | undefined;

export interface SearchInput {
  ask: SearchAsk;
  now: Date;
}

/** One result as the adapter reads it. */
export interface Hit {
  /** The position of the vendor's own object among the items under `raw_at`. */
  item: number;
  url: string;
  title?: string | undefined;
  snippets: string[];
  full_text?: string | undefined;
  summary?: string | undefined;
  score?: number | undefined;
  published_date?: string | undefined;
  /** For our date filters, if the vendor gives a year but no date. */
  published_year?: number | undefined;
  author?: string | undefined;
}

export interface SearchProduct {
  supports: Readonly<{ query: Row; max_results: Row } & Partial<Record<keyof SearchAsk, Row>>>;
  /** One request, or one for each page of results. */
  toRequests: (input: SearchInput) => WireRequest[];
  /** How many results of the first page come before the requested offset. */
  skip?: (ask: SearchAsk) => number;
  /** Where the vendor's result objects are in an answer, in the order of `item`. */
  raw_at: readonly (readonly string[])[];
  fromReply: (body: unknown, input: SearchInput) => Hit[];
  /** Where the vendor's own warnings are. */
  warnings?: VendorWarnings;
  repeat?: Repeat;
  price: PriceRule<PricedCall>;
}

export interface ExtractInput {
  /** The addresses of this call: at most `batch`, without duplicates. */
  urls: readonly string[];
  ask: ExtractAsk;
  now: Date;
}

/** A page, or the reason why there is none. */
export type PageOutcome = Page | string;

export interface Page {
  /**
   * Which reply of this call, and which item under `raw_at` in it, contains the vendor's own
   * object. Otherwise the first.
   */
  reply?: number;
  item?: number | undefined;
  final_url?: string | undefined;
  title?: string | undefined;
  content?: string | undefined;
  excerpts?: string[] | undefined;
  summary?: string | undefined;
  published_date?: string | undefined;
  author?: string | undefined;
  links?: string[] | undefined;
  images?: string[] | undefined;
}

export interface ExtractProduct {
  supports: Readonly<{ 'content.full_text': Row } & Partial<Record<keyof ExtractAsk, Row>>>;
  /** How many addresses one call accepts. */
  batch: number;
  /**
   * The maximum length of an address. A longer one fails on its own, without affecting the others.
   */
  maxUrlLength?: number;
  /** One request, or two if one cannot return everything that was requested. */
  toRequests: (input: ExtractInput) => WireRequest[];
  /** Further requests that the first answers make necessary. Their answers are appended. */
  followUp?: (bodies: readonly unknown[], input: ExtractInput) => WireRequest[];
  raw_at: readonly (readonly string[])[];
  /** One outcome for each address of the call, in their order. */
  fromReplies: (bodies: readonly unknown[], input: ExtractInput) => PageOutcome[];
  warnings?: VendorWarnings;
  /** The reason, if a refusal concerns the requested pages and not the account or the vendor. */
  pageFault?: (refusal: Refusal) => string | undefined;
  /**
   * True for a refusal that may be the provider's own fault. It counts as a page fault only while the
   * provider answers for another page.
   */
  mayBeOwnFault?: (refusal: Refusal) => boolean;
  repeat?: Repeat;
  /** Native options that callers may not set, in addition to the names of the pages. */
  refused_options?: RefusedOptions;
  price: PriceRule<PricedExtraction>;
}
