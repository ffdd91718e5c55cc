// The rows of the request log, and sums of usage. Rows are stored as JSON in the
// table `deferred`, so their property names must not change.

export interface RequestRow {
  id: string;
  account_id: string;
  key_id: string;
  tool: string;
  /** Null if the request failed before a provider was chosen. */
  provider: string | null;
  status: number;
  error_type: string | null;
  warnings: number;
  /** The charged amount in micro-USD. */
  cost: number;
  /** The cost that the provider reported, if it did. */
  reported_cost: number | null;
  latency_ms: number;
  created_at: number;
  /** The settle that pays for the answer. Absent for a failure, and in rows of older versions. */
  paid_by?: PaidBy | null;
  /** The number of results or pages in the answer. Null for a failure. */
  delivered?: number | null;
  /** What was asked, until `forget_at`. Null if no text is kept. */
  asked?: string | null;
  /** The other parameters as JSON, also until `forget_at`. */
  parameters?: string | null;
  forget_at?: number | null;
  /** Attempts, warnings, the error and the price, see `request-detail.ts`. */
  detail?: string | null;
  /** Such as `team=search,run=42`. */
  tags?: string | null;
}

/**
 * The settle of the request itself, of its job, or of the request that it replays. `cache` means
 * that nothing pays for it.
 */
export type PaidBy = 'settle' | 'cache' | `job:${string}` | `replay:${string}`;

/**
 * The cost of a request, as a column for a statement on another table. `id` is that table's column
 * with the request id.
 */
export function costOfRequest(id: string): string {
  return `(select cost from requests where requests.id = ${id})`;
}

export interface UsageSums {
  requests: number;
  refusals: number;
  failures: number;
  cost: number;
}

export const noUsage: Readonly<UsageSums> = { requests: 0, refusals: 0, failures: 0, cost: 0 };

/** One sum with `times` another added, in whole numbers. */
export function addUsage(one: UsageSums, other: UsageSums, times = 1): UsageSums {
  return {
    requests: Math.round(one.requests + times * other.requests),
    refusals: Math.round(one.refusals + times * other.refusals),
    failures: Math.round(one.failures + times * other.failures),
    cost: Math.round(one.cost + times * other.cost),
  };
}

export interface Usage extends UsageSums {
  key_id: string;
  tool: string;
  /** Empty if the request failed before a provider was chosen. */
  provider: string;
}

export function readTags(text: string | null): Record<string, string> {
  return Object.fromEntries(tagPairs(text));
}

export function tagPairs(text: string | null | undefined): [name: string, value: string][] {
  if (text === null || text === undefined || text === '') return [];
  return text.split(',').map((tag) => {
    const at = tag.indexOf('=');
    return [tag.slice(0, at), tag.slice(at + 1)];
  });
}

/** The day of a row into which the old days of a tag value with a budget are folded. */
export const foldedDay = 0;
