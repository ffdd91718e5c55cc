// One request that costs money, from its acceptance to its row in the request log.
import type { ContentMode, ToolName } from '@trivium/contract';
import type { ByteHold } from '../platform/byte-budget.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import type { ClaimRef } from './core/idempotency-claims.ts';
import type { Attempt } from './request-detail.ts';

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
  wants?: AnswerParts;
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
  };
}

export interface AnswerParts {
  /** The ranks of a fusion, in a header. */
  explain?: boolean;
  /** The vendor's answer apart from its results. */
  vendorFields?: boolean;
}

/** The answer to a paid request. */
export interface Served {
  status: number;
  text: string;
  headers?: Record<string, string>;
  /** An answer from the cache that cost nothing. */
  isFree?: true;
}
