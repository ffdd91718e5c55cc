// What the routes need from the application, built once at start.
import type {
  ExtractRequest,
  Incident,
  IncidentChange,
  IncidentList,
  IncidentQuery,
  ProviderCheck,
  ProvidersResponse,
  SearchRequest,
  TranscriptionRequest,
} from '@trivium/contract';
import type { Author } from '../audit/index.ts';
import type { Authenticator, OAuthParts, openSignIn } from '../accounts/index.ts';
import type { Cache } from '../cache/index.ts';
import type { EventsContext } from '../events/index.ts';
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { SearchContext } from '../search/index.ts';
import type { JobContext } from '../transcription/index.ts';
import type { ConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import type { Caller, StoredBytes } from '../requests/index.ts';
import type { PaidTool } from './serve-paid.ts';

export interface HttpContext extends SearchContext {
  bytes: ByteBudget;
  cache: Cache;
  stored: StoredBytes;
  authenticator: Authenticator;
  isOperator: (token: string) => Promise<boolean>;
  checkSameOrigin: (request: Request) => void;
  limiters: Limiters;
  /** Wait for the result before a report begins. Throws if too many wait. */
  reportTurn: () => Promise<void> | undefined;
  newRequestId: () => string;
  /** Set on every response. */
  headers: Record<string, string>;
  /** Measures every request of a route. */
  observe: (route: string) => Observer;
  jobs: JobContext;
  events: EventsContext;
  tools: PaidTools;
  /** Runs the work of a caller, who is already known or sent this `Authorization` header. */
  admit: <T>(who: Caller | string | null, work: (caller: Caller) => Promise<T>) => Promise<T>;
  /** Counts a read of an account until the returned function is called. */
  enterRead: (account: string) => () => void;
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
  incidents: {
    list: (query: IncidentQuery, isOperator: boolean) => Promise<IncidentList>;
    change: (
      of: { id: string; account_id: string | undefined; isOperator: boolean },
      by: Author,
      change: IncidentChange,
    ) => Promise<Incident>;
    /** Changes with what the list contains. */
    version: (accountId: string, isOperator: boolean) => Promise<number>;
  };
}

export interface Limiters {
  all: ConcurrencyLimiter;
  ofAccounts: ConcurrencyLimiter;
  /** The requests that wait for others, for example for a job. */
  waiting: ConcurrencyLimiter;
}

export interface Observer {
  /** A request begins. `ended` takes what this returns. */
  began: () => number;
  /** Without a response if there is none. */
  ended: (began: number, response?: Response) => void;
  /** Traces the work of a request. Absent without a collector. */
  inSpan?: (request: Request, work: () => Promise<Response>) => Promise<Response>;
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
