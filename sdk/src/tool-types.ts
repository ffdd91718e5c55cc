// The inputs and outputs of the tools for agents.
import type { ContentMode, Usage, Warning } from '@trivium/contract';

/** How the tools treat text from the web. */
export interface ToolOptions {
  /** What to do with suspicious content; `annotate` by default. */
  contentMode?: ContentMode | undefined;
}

export interface SearchToolInput {
  query: string;
  /** auto, fusion, a vendor's name or an id. */
  provider?: string | undefined;
  max_results?: number | undefined;
  freshness?: 'day' | 'week' | 'month' | 'year' | undefined;
  include_domains?: string[] | undefined;
  exclude_domains?: string[] | undefined;
  category?: 'general' | 'news' | 'company' | 'people' | 'research' | undefined;
  /** The maximum number of tokens of all texts together. */
  max_tokens?: number | undefined;
}

export interface SearchToolOutput {
  id: string;
  provider: string;
  results: {
    title: string | null;
    url: string;
    published_date?: string;
    snippets: string[];
    /** Signals of suspicious content in its texts; absent if there are none. */
    signals?: string[];
  }[];
  warnings: Warning[];
  usage: Usage;
}

export interface ExtractToolInput {
  urls: string[];
  query?: string | undefined;
  provider?: string | undefined;
  max_chars?: number | undefined;
  /** The maximum number of tokens of all texts together. */
  max_tokens?: number | undefined;
}

export interface ExtractToolOutput {
  id: string;
  provider: string;
  results: {
    url: string;
    title?: string;
    published_date?: string;
    content: string;
    /** Signals of suspicious content in its texts; absent if there are none. */
    signals?: string[];
  }[];
  failed: { url: string; error: string }[];
  warnings: Warning[];
  usage: Usage;
}

export interface ReadAndSearchToolInput extends Omit<SearchToolInput, 'max_results'> {
  /** How many of the best pages to read. */
  max_pages?: number | undefined;
  /** The maximum number of characters of all pages together. */
  max_chars?: number | undefined;
  /** The maximum cost of the search and the pages together. */
  max_cost_usd?: number | undefined;
}

export interface ReadAndSearchToolOutput {
  id: string;
  /** The provider that searched, and the provider that read the pages. */
  provider: string;
  reader?: string;
  pages: ExtractToolOutput['results'];
  /** Pages that were found but not read. */
  others: { title: string | null; url: string; signals?: string[] }[];
  failed: ExtractToolOutput['failed'];
  /** Why fewer pages were read than requested. */
  note?: string;
  warnings: Warning[];
  usage: Usage;
}

export interface ReportResultsToolInput {
  /** The id of a search. */
  id: string;
  /** Results by their ids or URLs. */
  cited?: string[] | undefined;
  opened?: string[] | undefined;
  rejected?: string[] | undefined;
}

export interface ReportResultsToolOutput {
  id: string;
  cited: number;
  opened: number;
  rejected: number;
  /** Entries that are not results of the search. */
  unknown: string[];
}

export interface TranscribeToolInput {
  audio_url: string;
  provider?: string | undefined;
  language?: string | undefined;
  diarize?: boolean | undefined;
  keyterms?: string[] | undefined;
  wait_seconds?: number | undefined;
}

export interface GetJobToolInput {
  id: string;
}

export interface JobToolOutput {
  id: string;
  status: string;
  provider: string;
  /** The transcript, once the job is completed. */
  text?: string;
  /** Where the rest of a long transcript is. */
  note?: string;
  /** Signals of suspicious content in the transcript; absent if there are none. */
  signals?: string[];
  language?: string;
  duration_seconds?: number;
  usage?: Usage;
  warnings: Warning[];
}
