// The filters of the lists, named as on the wire: a misspelt one does not compile. A test compares
// them with the API description.
import type {
  AuditAction,
  AuditActor,
  DeliveryState,
  ErrorType,
  EventType,
  JobStatus,
  Outcome,
  ToolName,
  TranscriberId,
  TransferLine,
} from '@trivium/contract';

export interface PageFilters {
  /** The maximum number of entries per page, up to 500; 50 by default. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined;
}

export interface AccountFilters extends PageFilters {
  /** Part of the name or the id. */
  text?: string | undefined;
}

interface TimeFilters {
  /** The first day in UTC (2026-11-15), or the start time (2026-11-15T12:00:00Z). */
  from?: string | undefined;
  /** The last day, inclusive, or the end time, exclusive. */
  to?: string | undefined;
}

interface UsageOptions extends TimeFilters {
  /** Adds the previous range of the same length; needs `from`. */
  compare?: 'previous' | undefined;
  /** Adds daily values for each group. */
  interval?: 'day' | undefined;
}

export interface UsageFilters extends UsageOptions {
  /** `day` by default; `tag:team` groups by the values of the tag team. */
  by?: 'day' | 'tool' | 'provider' | 'key' | 'tag' | `tag:${string}` | undefined;
}

export interface JobFilters extends PageFilters {
  status?: JobStatus | undefined;
}

export interface AccountUsageFilters extends UsageOptions {
  account_id?: string | undefined;
  key_id?: string | undefined;
  /** `day` by default; `tag` groups by tag names, `tag:team` by the values of the tag team. */
  by?: 'day' | 'tool' | 'provider' | 'key' | 'account' | 'tag' | `tag:${string}` | undefined;
}

export interface ScorecardFilters {
  /** All accounts, unless given. */
  account_id?: string | undefined;
  /** One line for each engine, unless given. */
  by?: 'provider' | 'language' | 'category' | 'freshness' | undefined;
  /** How many weeks up to today: 12, unless given. */
  weeks?: number | undefined;
}

export interface AnswerFilters {
  account_id?: string | undefined;
}

export interface AccountJobFilters extends JobFilters {
  id?: string | undefined;
  account_id?: string | undefined;
  provider?: TranscriberId | undefined;
}

export interface RequestFilters extends TimeFilters, PageFilters {
  /** The id of the request, its answer, or its job. */
  id?: string | undefined;
  /** Part of the query or of an address. */
  text?: string | undefined;
  /** `team=search`, or `team` for any value. */
  tag?: string | undefined;
  account_id?: string | undefined;
  key_id?: string | undefined;
  tool?: ToolName | undefined;
  provider?: string | undefined;
  /** The HTTP status. */
  status?: number | undefined;
  outcome?: Outcome | undefined;
  error_type?: ErrorType | undefined;
}

export type ErrorFilters = Omit<RequestFilters, 'id' | keyof PageFilters>;

export interface TransferFilters extends TimeFilters, PageFilters {
  account_id?: string | undefined;
  key_id?: string | undefined;
  kind?: TransferLine['kind'] | undefined;
}

export interface AuditFilters extends TimeFilters, PageFilters {
  account_id?: string | undefined;
  action?: AuditAction | undefined;
  actor?: AuditActor['kind'] | undefined;
  person_id?: string | undefined;
  /** The id of what was changed. */
  target?: string | undefined;
}

export interface OverviewFilters {
  account_id: string;
  /** 7d by default. */
  span?: '24h' | '7d' | '30d' | '90d' | undefined;
  /** The time zone of the days, such as Europe/Vienna; UTC by default. */
  zone?: string | undefined;
}

export interface WebhookFilters extends PageFilters {
  account_id?: string | undefined;
}

export interface DeliveryFilters extends WebhookFilters {
  webhook_id?: string | undefined;
  event?: EventType | undefined;
  state?: DeliveryState | undefined;
  /** The job, key, account, provider or endpoint that the event is about. */
  subject?: string | undefined;
}
