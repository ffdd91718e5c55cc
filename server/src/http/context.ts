// What the routes need from the application, built once at start.
import type {
  AttentionList,
  ExtractRequest,
  ProviderCheck,
  ProvidersResponse,
  SearchRequest,
  TranscriptionRequest,
} from '@trivium/contract';
import type { Authenticator, OAuthParts, openSignIn } from '../accounts/index.ts';
import type { Cache } from '../cache/index.ts';
import type { EventsContext } from '../events/index.ts';
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { StoredBytes } from '../requests/index.ts';
import type { SearchContext } from '../search/index.ts';
import type { JobContext } from '../transcription/index.ts';
import type { Admit, EnterRead } from './limits.ts';
import type { PaidTool } from './serve-paid.ts';

export interface HttpContext extends SearchContext {
  bytes: ByteBudget;
  cache: Cache;
  stored: StoredBytes;
  authenticator: Authenticator;
  jobs: JobContext;
  events: EventsContext;
  tools: PaidTools;
  admit: Admit;
  enterRead: EnterRead;
  dashboardAuth: ReturnType<typeof openSignIn>;
  oauth: OAuthParts;
  readiness: {
    /** Throws if the gateway cannot serve. */
    check: () => Promise<object>;
    /** The metrics in the Prometheus text format. */
    renderMetrics: () => Promise<{ type: string; text: string }>;
  };
  /** `pagePaths` serve the page. */
  dashboard: { pagePaths: readonly string[]; load: LoadFiles };
  docs: LoadFiles;
  /** The providers and the current order of `auto`. */
  describe: () => ProvidersResponse;
  /** Makes one real, cheap call to a provider. */
  checkProvider: (id: string) => Promise<ProviderCheck>;
  readAttention: (accountId: string, isOperator: boolean) => Promise<AttentionList>;
}

export interface PaidTools {
  search: PaidTool<SearchRequest>;
  extract: PaidTool<ExtractRequest>;
  transcription: PaidTool<TranscriptionRequest>;
}

export interface WebFile {
  path: string;
  type: string;
  body: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
}

/** Makes the files at the first call, and keeps them. */
export type LoadFiles = () => Promise<ReadonlyMap<string, WebFile>>;
