// The request log, from newest to oldest.
import type { Outcome } from '@trivium/contract/outcomes';
import { log } from './requests.ts';
import {
  containing,
  type Filter,
  type ListPage,
  literal,
  type Runner,
  type ScanLimits,
  scanPage,
  type TimeRange,
  timeFilters,
} from '../../store/index.ts';

export interface RequestFilter extends TimeRange {
  id?: string | undefined;
  /** Text to find in what was asked. */
  text?: string | undefined;
  /** `team=search`, or `team` for any value. */
  tag?: string | undefined;
  account_id?: string | undefined;
  key_id?: string | undefined;
  tool?: string | undefined;
  provider?: string | undefined;
  status?: number | undefined;
  outcome?: Outcome | 'error' | undefined;
  error_type?: string | undefined;
}

export function listRequests(
  on: Runner,
  filter: RequestFilter,
  page: ListPage,
  limits?: ScanLimits,
) {
  const { indexed, others } = filtersOf(filter);
  const list = { table: log.name, columns: log.columns, read: log.read, indexed, others };
  return scanPage(on, list, page, limits);
}

/**
 * Splits the filter into conditions that an index serves, and conditions that each row is compared
 * with.
 */
export function filtersOf(filter: RequestFilter): { indexed: Filter[]; others: Filter[] } {
  const { account_id, key_id, tool, provider, status, outcome, error_type, text, tag } = filter;
  return {
    indexed: [
      { text: 'id = ?', values: [filter.id] },
      { text: 'account_id = ?', values: [account_id] },
      ...timeFilters(filter),
    ],
    others: [
      { text: 'key_id = ?', values: [key_id] },
      { text: 'tool = ?', values: [tool] },
      { text: 'provider = ?', values: [provider] },
      { text: 'status = ?', values: [status] },
      ...(outcome === undefined ? [] : [{ text: outcomeTexts[outcome], values: [] }]),
      { text: 'error_type = ?', values: [error_type] },
      containing('asked', text),
      tagged(tag),
    ],
  };
}

const served = '(status < 400 or status = 499 and error_type is null)';
const failed = `(status >= 400 and (coalesce(error_type, '') in ('provider_error', 'internal_error')
  or coalesce(error_type, '') = 'provider_not_available' and status <> 501
  or error_type is null and status >= 500))`;

/** The same decision as in `outcomeOf`; a test compares the two. */
const outcomeTexts: Readonly<Record<Outcome | 'error', string>> = {
  served,
  failed,
  refused: `not ${served} and not ${failed}`,
  error: `not ${served}`,
};

function tagged(tag: string | undefined): Filter {
  const rest = tag?.includes('=') ? ',%' : '=%';
  const pattern = tag === undefined ? undefined : `%,${literal(tag)}${rest}`;
  return { text: `',' || tags || ',' like ? escape '!'`, values: [pattern] };
}
