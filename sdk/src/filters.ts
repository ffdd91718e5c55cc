// Written by scripts/clients.ts from the operations: do not edit.
import type { AuditAction, ErrorType, EventType } from '@trivium/contract';

export interface PageFilters {
  /** next_cursor of the previous page. */
  cursor?: string | undefined;
  /** The maximum number of entries per page. Default: 50. */
  limit?: number | undefined;
}

export interface UsageFilters {
  /**
   * What to group by: day, tool, provider, key, tag (the names of tags), or tag:NAME. Default:
   * day.
   */
  by?: 'day' | 'tool' | 'provider' | 'key' | 'tag' | `tag:${string}` | undefined;
  /** The first day, in UTC, or the start time. */
  from?: string | undefined;
  /** The last day, in UTC, which is included, or the end time, which is excluded. */
  to?: string | undefined;
  /** Adds the previous range of the same length; requires from. */
  compare?: 'previous' | undefined;
  /** Adds daily values for each group. */
  interval?: 'day' | undefined;
}

export interface JobFilters extends PageFilters {
  /** Only jobs in this state. */
  status?: 'queued' | 'running' | 'completed' | 'failed' | undefined;
}

export interface AccountFilters extends PageFilters {
  /** Only accounts whose name or id contains this text, in upper or lower case. */
  text?: string | undefined;
}

export interface RequestFilters extends PageFilters {
  /** Only this request: its id, the id of its answer (srch_…, ext_…), or of its job. */
  id?: string | undefined;
  /** Only requests whose query contains this text, in upper or lower case. */
  text?: string | undefined;
  /** Only requests with this tag, such as team=search, or with any value of it, such as team. */
  tag?: string | undefined;
  /** The id of an account. */
  account_id?: string | undefined;
  /** The id of an API key. */
  key_id?: string | undefined;
  /** Only requests of this tool. */
  tool?: 'search' | 'extract' | 'transcription' | undefined;
  /** Only requests to this provider. */
  provider?: string | undefined;
  /** Only responses of this status. */
  status?: number | undefined;
  /** Only requests with this outcome; error is refused or failed. */
  outcome?: 'served' | 'refused' | 'failed' | 'error' | undefined;
  /** Only errors of this type. */
  error_type?: ErrorType | undefined;
  /** Only requests that a simulated provider answered, or only others. */
  simulated?: 'true' | 'false' | undefined;
  /** Only requests with a note, or without. */
  has_note?: 'true' | 'false' | undefined;
  /** The first day, in UTC, or the start time. */
  from?: string | undefined;
  /** The last day, in UTC, or the end time, which is excluded. */
  to?: string | undefined;
  /** time, newest first; cost or latency, largest first. Default: time. */
  sort?: 'time' | 'cost' | 'latency' | undefined;
}

export interface ErrorFilters {
  /** Only requests whose query contains this text, in upper or lower case. */
  text?: string | undefined;
  /** Only requests with this tag, such as team=search, or with any value of it, such as team. */
  tag?: string | undefined;
  /** The id of an account. */
  account_id?: string | undefined;
  /** The id of an API key. */
  key_id?: string | undefined;
  /** Only requests of this tool. */
  tool?: 'search' | 'extract' | 'transcription' | undefined;
  /** Only requests to this provider. */
  provider?: string | undefined;
  /** Only responses of this status. */
  status?: number | undefined;
  /** Only requests with this outcome; error is refused or failed. */
  outcome?: 'served' | 'refused' | 'failed' | 'error' | undefined;
  /** Only errors of this type. */
  error_type?: ErrorType | undefined;
  /** Only requests that a simulated provider answered, or only others. */
  simulated?: 'true' | 'false' | undefined;
  /** Only requests with a note, or without. */
  has_note?: 'true' | 'false' | undefined;
  /** The first day, in UTC, or the start time. */
  from?: string | undefined;
  /** The last day, in UTC, or the end time, which is excluded. */
  to?: string | undefined;
}

export interface AnswerFilters {
  /** Only a request of this account; required for its members. */
  account_id?: string | undefined;
}

export interface FindFilters {
  /**
   * A part of the name of a key, an account or a person, or a whole id; a request is also
   * found by the id of its answer or of its job.
   */
  text: string;
  /** The id of an account. */
  account_id?: string | undefined;
}

export interface TransferFilters extends PageFilters {
  /** The id of an account. */
  account_id?: string | undefined;
  /** The id of an API key. */
  key_id?: string | undefined;
  /** Only lines of this kind. */
  kind?: 'topup' | 'settle' | 'refund' | 'adjust' | undefined;
  /** The first day, in UTC, or the start time. */
  from?: string | undefined;
  /** The last day, in UTC, or the end time, which is excluded. */
  to?: string | undefined;
}

export interface AccountUsageFilters {
  /** The id of an account. */
  account_id?: string | undefined;
  /** The id of an API key. */
  key_id?: string | undefined;
  /**
   * What to group by: day, provider, key, tool, account, tag (the names of tags), or tag:NAME.
   * Default: day.
   */
  by?: 'day' | 'provider' | 'key' | 'tool' | 'account' | 'tag' | `tag:${string}` | undefined;
  /** The first day, in UTC, or the start time. */
  from?: string | undefined;
  /** The last day, in UTC, which is included, or the end time, which is excluded. */
  to?: string | undefined;
  /** Adds the previous range of the same length; requires from. */
  compare?: 'previous' | undefined;
  /** Adds daily values for each group. */
  interval?: 'day' | undefined;
}

export interface UsageChangeFilters {
  /** The id of an account. */
  account_id?: string | undefined;
  /** The id of an API key. */
  key_id?: string | undefined;
  /** Only requests to this provider. */
  provider?: string | undefined;
  /** Only requests of this tool. */
  tool?: 'search' | 'extract' | 'transcription' | undefined;
  /** Only requests with this tag, such as team=search, or with any value of it, such as team. */
  tag?: string | undefined;
  /** Only requests with this outcome; error is refused or failed. */
  outcome?: 'served' | 'refused' | 'failed' | 'error' | undefined;
  /** The first day, in UTC, or the start time. */
  from: string;
  /**
   * The last day, in UTC, or the end time, which is excluded. Of a range that is not over, the
   * part until now is compared with the same part of the range before.
   */
  to?: string | undefined;
  /** The change of which is explained: the cost, or the number of requests. Default: cost. */
  measure?: 'cost' | 'requests' | undefined;
}

export interface ScorecardFilters {
  /** Only this account; by default, all accounts. */
  account_id?: string | undefined;
  /**
   * One line for each engine, or for each engine and language, category or freshness. Default:
   * provider.
   */
  by?: 'provider' | 'language' | 'category' | 'freshness' | undefined;
  /** How many weeks, ending today. Default: 12. */
  weeks?: number | undefined;
}

export interface AccountJobFilters extends PageFilters {
  /** Only this job. */
  id?: string | undefined;
  /**
   * Only jobs whose recording has this text in its address, without the query, or in the name
   * of its file, in upper or lower case.
   */
  text?: string | undefined;
  /** The id of an account. */
  account_id?: string | undefined;
  /** The id of an API key. */
  key_id?: string | undefined;
  /** Only jobs in this state. */
  status?: 'queued' | 'running' | 'completed' | 'failed' | undefined;
  /** Only jobs of this provider. */
  provider?: 'stt_a' | 'stt_b' | 'stt_c' | undefined;
  /** The first day, in UTC, or the start time. */
  from?: string | undefined;
  /** The last day, in UTC, or the end time, which is excluded. */
  to?: string | undefined;
}

export interface JobRecordingFilters {
  /** Only a job of this account; required for its members. */
  account_id?: string | undefined;
}

export interface OverviewFilters {
  /** The id of an account. */
  account_id: string;
  /** The time range, which ends now. Default: 7d. */
  span?: '24h' | '7d' | '30d' | '90d' | undefined;
  /** The time zone of the days, such as Europe/Berlin. Default: UTC. */
  zone?: string | undefined;
}

export interface IncidentFilters extends PageFilters {
  /** The id of an account. */
  account_id?: string | undefined;
  /** Only incidents in this state. */
  state?: 'open' | 'ended' | undefined;
  /** The first day, in UTC, or the start time. */
  from?: string | undefined;
  /** The last day, in UTC, or the end time, which is excluded. */
  to?: string | undefined;
}

export interface AuditFilters extends PageFilters {
  /** The id of an account. */
  account_id?: string | undefined;
  /** Only changes of this kind. */
  action?: AuditAction | undefined;
  /** Only changes by actors of this kind. */
  actor?: 'operator_token' | 'person' | 'command_line' | 'bootstrap' | undefined;
  /** Only changes by this person. */
  person_id?: string | undefined;
  /** Only changes to this key, person or other object. */
  target?: string | undefined;
  /** The first day, in UTC, or the start time. */
  from?: string | undefined;
  /** The last day, in UTC, or the end time, which is excluded. */
  to?: string | undefined;
}

export interface WebhookFilters extends PageFilters {
  /** The id of an account. */
  account_id?: string | undefined;
}

export interface DeliveryFilters extends PageFilters {
  /** The id of an account. */
  account_id?: string | undefined;
  /** The id of an endpoint. */
  webhook_id?: string | undefined;
  /** Only this event. */
  event?: EventType | undefined;
  /** Only deliveries in this state. */
  state?: 'pending' | 'delivered' | 'failed' | undefined;
  /** Only deliveries about this job or key. */
  subject?: string | undefined;
}
