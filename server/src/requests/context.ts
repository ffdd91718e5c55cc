// The parts of the application context that requests need.
import type { ContentMode, ToolName } from '@trivium/contract';
import type { ByteHold } from '../platform/byte-budget.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import type { logKeptMs, Settings } from '../settings/index.ts';
import type { Database } from '../store/index.ts';
import type { ClaimEntry, ClaimOutcome, ClaimRef } from './core/idempotency-claims.ts';
import type { RequestRow } from './core/request-row.ts';
import type { Attempt } from './request-detail.ts';
import type { StoredSums } from './store/stored-texts.ts';

/** What a request writes, whether it pays or not. */
export interface RequestsContext {
  /** For stored answers. The ledger writes everything else. */
  database: Database;
  ledger: RequestLedger;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'keep_query_hours'> &
    Partial<
      Pick<Settings, 'keep_answer_hours' | 'keep_answers_max_mb' | 'key_requests_per_minute'>
    >;
  /** Counts served requests. Absent if there are no metrics. */
  metrics?: ServiceMetrics;
  /** Counts refused requests. Absent if nothing limits them. */
  refusals?: Refusals;
  /** Limits how much each account may store. Absent if there is no limit. */
  stored?: StoredBytes;
  /** Keeps answers beside the log. Absent if none are kept. */
  answers?: AnswerLog | undefined;
  /** Answers that could not be charged, kept for a retry with the same idempotency key. */
  uncharged?: UnchargedAnswers;
  /** Follows what fails. Absent if incidents are not followed. */
  results?: ResultNotes;
}

/** The request log, and how long it is kept. */
export type KeptLog = Pick<RequestsContext, 'database' | 'clock'> & {
  settings: Parameters<typeof logKeptMs>[0];
};

/** Rows of requests and claims are written in the ledger's transactions. */
interface RequestLedger {
  /** Claims an Idempotency-Key for a request, or returns what the key is already used for. */
  claim: (entry: Omit<ClaimEntry, 'kind'>) => Promise<ClaimOutcome>;
  /** Frees the claimed key of a request that has no hold to release. */
  freeClaim: (claim: ClaimRef) => Promise<void>;
  /** Logs a request that moved no money. The caller does not wait for it. */
  record: (request: RequestRow) => void;
  release: (entry: { id: string; account_id: string }) => Promise<unknown>;
}

/** The counting functions that the capabilities call; app/observability.ts connects them to Prometheus. */
export interface ServiceMetrics {
  /** `result` is the status and the outcome, separated by a space. */
  served: (tool: ToolName, provider: string, result: string, ms: number) => void;
  /** A part of an answer that may come from the cache: `hit`, `joined` or `miss`. */
  cached: (tool: ToolName, from: string) => void;
  called: (provider: string, result: string, ms: number) => void;
  /** Called if an adapter threw, which is a defect of the gateway: counts and logs the error. */
  adapterFailed: (provider: string, error: unknown) => void;
  /** Counts what is wrong with a transcript. */
  transcribed: (
    provider: string,
    notes: { unread_words: number; ends_early: boolean; no_duration: boolean },
  ) => void;
  batch: (size: number, ms: number) => void;
  /** A deferred settlement could not be booked. */
  unbooked: () => void;
  /** A rule that must always hold was broken, which is a defect of the gateway. */
  brokenRule: (rule: string) => void;
  /** A refused request was not logged. */
  unlogged: () => void;
}

/** Refused requests: they are counted, and some are logged. */
export interface Refusals {
  /** The error for the caller: the given one, or that of a rate limit which is reached now. */
  count: (
    currentRequest: Pick<CurrentRequest, 'caller' | 'seen'>,
    error: unknown,
  ) => Promise<unknown>;
  /** True if the refusal should be logged. The caller writes the row. */
  isLogged: (accountId: string, status: number) => boolean;
}

/** Whose limit applies: the policies of the account and the key can lower the setting. */
type Keeper = Pick<Caller, 'account_id' | 'policy'>;

/** How much each account stores. */
export interface StoredBytes {
  /** Reads the current sums. */
  read: (accountId: string) => Promise<StoredSums>;
  /** True if there is room for this many more bytes, as far as is known without waiting. */
  hasRoom: (keeper: Keeper, bytes: number) => boolean;
  /** Counts bytes that were stored. */
  add: (accountId: string, bytes: number) => void;
  /** Counts bytes that are arriving and have no row yet. A negative number ends that. */
  receive: (accountId: string, bytes: number) => void;
  maxBytes: (keeper: Pick<Keeper, 'policy'>) => number;
}

/** Answers that are kept beside the request log. */
export interface AnswerLog {
  add: (
    currentRequest: Pick<CurrentRequest, 'request_id' | 'caller' | 'tool'>,
    served: Served,
  ) => void;
  /** Writes all answers added so far. */
  flush: () => Promise<void>;
}

export interface UnchargedAnswers {
  /** False if the answer is too long to be kept. */
  keep: (id: string, answer: Uncharged) => boolean;
  /** Returns an answer once. */
  take: (id: string) => object | undefined;
}

export interface Uncharged {
  account_id: string;
  answer: object;
  /** The length of the answer. */
  chars: number;
}

/** Notes what the end of a request or a job says about the providers that it used. */
export interface ResultNotes {
  request: (request: CurrentRequest) => void;
  /** Its provider failed it for this reason, or completed it. */
  job: (job: { account_id: string; provider: string; created_at: number }, reason?: string) => void;
}

/** The API key behind a request, and what it may do. */
export interface Caller {
  account_id: string;
  key_id: string;
  /** The key has no spending cap. */
  uncapped?: boolean;
  /** What the account and the key allow. Absent if they set no limit. */
  policy?: RequestPolicy;
  /** The key can read only its own usage and jobs, not those of the whole account. */
  own_use_only?: boolean;
  /**
   * The tag values of the account that have a budget, such as `team=search`. Absent if there are
   * none.
   */
  budgets?: ReadonlySet<string>;
}

/** What the gateway knows about a paid request while it runs. */
export interface CurrentRequest {
  request_id: string;
  caller: Caller;
  tool: ToolName;
  /** In clock ticks. */
  started: number;
  /** The header x-max-cost-usd: validated, but still text. */
  max_cost_usd?: string;
  /** The header x-trivium-webhook: where to report the end of the job. */
  webhook?: string;
  /** The maximum age of an answer from the cache. The cache is not used if this is 0 or absent. */
  cache_seconds?: number;
  /** How text from the web is checked. Absent if it is not checked. */
  content?: { mode?: ContentMode; max_tokens?: number };
  /** The tags of the request, such as `team=search,run=42`. */
  tags?: string;
  /** The idempotency key of the request. */
  claim?: ClaimRef;
  /** Equal for requests with the same idempotency key and the same content. */
  retry_id?: string;
  /** The answer is stored even if it is long. */
  long_answer?: true;
  /** The request is only planned: nothing is tried by chance, and the cache is not read. */
  is_estimate?: true;
  /** Parts that the answer has in addition. */
  wants?: {
    /** The ranks of a fusion, in a header. */
    explain?: boolean;
    /** The vendor's answer apart from its results. */
    vendorFields?: boolean;
  };
  /** Counts the request's long texts, from the provider or the store to the answer. */
  room?: ByteHold;
  /** Ends the wait for a provider that was not called yet. A running call is always finished. */
  signal?: AbortSignal;
  /** Aborted once the caller has hung up, for the request log. */
  connection?: AbortSignal;
  /** Facts that become known while the request runs, for the request log. */
  seen: {
    provider?: string;
    /** The status and the error type in its last log row. */
    status?: number;
    error_type?: string | null;
    /** The texts of what was asked. */
    asked?: readonly string[];
    /** The body as the caller sent it. Absent if it is too long to be kept. */
    body?: unknown;
    attempts: Attempt[];
    /** The ledger has counted the request towards its rate limits. */
    counted?: true;
    /** Why `auto` chose the provider, where it chooses by quality. */
    routing?: string;
    /** What was charged, in micro-USD. */
    cost?: number;
  };
}

/** The answer to a paid request. */
export interface Served {
  status: number;
  text: string;
  headers?: Record<string, string>;
  /** An answer from the cache that cost nothing. */
  isFree?: true;
}
