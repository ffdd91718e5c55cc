// The operator's client: accounts, balances, keys, the ledger, the request log and usage.
import type {
  Account,
  AccountChange,
  AccountList,
  AccountRequest,
  Activity,
  AttentionList,
  AuditEntry,
  AuditList,
  InviteRequest,
  JobLine,
  JobList,
  Key,
  KeyChange,
  KeyList,
  KeyRequest,
  KeyRotationInput as KeyRotation,
  NewInvite,
  NewKey,
  Overview,
  PeopleList,
  Person,
  PersonChange,
  ProviderCheck,
  ProviderRecordList,
  RequestLine,
  RequestList,
  ResetLink,
  SettingsView,
  TransferLine,
  TransferList,
  UsageReport,
} from '@trivium/contract';
import { makeBudgetClient } from './admin-budgets.ts';
import type { BudgetClient } from './admin-budgets.ts';
import { makeWebhookClient } from './admin-webhooks.ts';
import type { AdminCalls, MovementOptions, WebhookClient } from './admin-webhooks.ts';
import { apiPromise, pagePromise } from './api-promise.ts';
import type { ApiPromise, PagePromise } from './api-promise.ts';
import { queryOf } from './lists.ts';
import type { List, Filters } from './lists.ts';
import { transportOf } from './options.ts';
import type { CallOptions, TransportOptions } from './options.ts';
import { newIdempotencyKey, send } from './send.ts';
import type { Call, Shape } from './send.ts';

export interface AdminOptions extends TransportOptions {
  /** The operator's token, not an API key; TRIVIUM_ADMIN_TOKEN by default. */
  admin_token?: string | undefined;
}

export interface Movement {
  amount_usd: number;
  /** Recorded in the ledger permanently. */
  reason: string;
}

export interface AdminClient {
  accounts: {
    list: List<AccountList, Account>;
    get: (id: string, options?: CallOptions) => ApiPromise<Account>;
    /** A name, or a name with a policy. */
    create: (account: string | AccountRequest, options?: MovementOptions) => ApiPromise<Account>;
    /** Changes only the given fields; null removes a limit. */
    change: (id: string, change: AccountChange, options?: CallOptions) => ApiPromise<Account>;
    topUp: (id: string, movement: Movement, options?: MovementOptions) => ApiPromise<TransferLine>;
    adjust: (id: string, movement: Movement, options?: MovementOptions) => ApiPromise<TransferLine>;
    refund: (
      id: string,
      movement: Movement & { request_id: string },
      options?: MovementOptions,
    ) => ApiPromise<TransferLine>;
  };
  keys: {
    list: (accountId: string, options?: CallOptions) => PagePromise<KeyList, Key>;
    /** The response contains the key itself; it is shown only once. */
    create: (
      accountId: string,
      request: KeyRequest,
      options?: MovementOptions,
    ) => ApiPromise<NewKey>;
    change: (id: string, change: KeyChange, options?: CallOptions) => ApiPromise<Key>;
    /** The response contains the new secret; the earlier one works until `previous_until`. */
    rotate: (id: string, rotation?: KeyRotation, options?: MovementOptions) => ApiPromise<NewKey>;
    /** The earlier secret stops working now, before `previous_until`. */
    endOverlap: (id: string, options?: CallOptions) => ApiPromise<Key>;
    revoke: (id: string, options?: CallOptions) => ApiPromise<Key>;
  };
  /** Who may sign in to the dashboard. */
  people: {
    list: (options?: CallOptions) => ApiPromise<PeopleList>;
    /** The response contains the token of the link; it is shown only once. */
    invite: (request: InviteRequest, options?: MovementOptions) => ApiPromise<NewInvite>;
    withdraw: (inviteId: string, options?: CallOptions) => ApiPromise<object>;
    change: (id: string, change: PersonChange, options?: CallOptions) => ApiPromise<Person>;
    remove: (id: string, options?: CallOptions) => ApiPromise<object>;
    /** A link with which the person chooses a new password. */
    resetPassword: (id: string, options?: CallOptions) => ApiPromise<ResetLink>;
  };
  /** Who changed what, the newest first. */
  audit: List<AuditList, AuditEntry>;
  /** Endpoints for events, and their deliveries. */
  webhooks: WebhookClient;
  /** What the requests with a tag value may spend. */
  budgets: BudgetClient;
  jobs: List<JobList, JobLine>;
  requests: List<RequestList, RequestLine>;
  /** One request of the log, by its id, the id of its answer, or the id of its job. */
  request: (id: string, options?: CallOptions) => ApiPromise<RequestLine>;
  transfers: List<TransferList, TransferLine>;
  usage: (filters?: Filters, options?: CallOptions) => ApiPromise<UsageReport>;
  /** Totals and charts of an account over a time range. */
  overview: (filters?: Filters, options?: CallOptions) => ApiPromise<Overview>;
  /** Another `version` after something has happened on the account. */
  activity: (accountId: string, options?: CallOptions) => ApiPromise<Activity>;
  /** What needs the attention of a person. */
  attention: (accountId: string, options?: CallOptions) => ApiPromise<AttentionList>;
  /** The settings of the gateway, without secrets. */
  settings: (options?: CallOptions) => ApiPromise<SettingsView>;
  providers: {
    /** Recent latency and failures. */
    records: (options?: CallOptions) => ApiPromise<ProviderRecordList>;
    /** Makes one real call to a provider. */
    check: (id: string, options?: CallOptions) => ApiPromise<ProviderCheck>;
  };
}

/** Throws a ConfigurationError at once if the options cannot work. */
export function createAdminClient(options: AdminOptions = {}): AdminClient {
  const { admin_token: value } = options;
  const transport = transportOf(options, {
    option: 'admin_token',
    variable: 'TRIVIUM_ADMIN_TOKEN',
    value,
  });
  const request = <T>(method: Call['method'], path: string, shape: Shape, rest: Partial<Call>) =>
    send<T>(transport, { method, path: `/admin/v1${path}`, shape, ...rest });
  const ask = <T>(
    method: Call['method'],
    path: string,
    rest: Partial<Call> = {},
    shape = oneShape,
  ) => apiPromise(request<T>(method, path, shape, rest));
  const once: AdminCalls['once'] = (path, body, rest = {}, shape = oneShape) => {
    const { idempotency_key = newIdempotencyKey(), ...more } = rest;
    return ask('POST', path, { body, idempotency_key, ...more }, shape);
  };
  const list =
    <
      Page extends Record<Name, Item[]> & { next_cursor?: string | null },
      Item,
      Name extends string,
    >(
      path: string,
      name: Name,
    ): List<Page, Item> =>
    (filters = {}, rest = {}) =>
      pagePromise<Page, Item>(
        (cursor = filters['cursor'] as string | undefined) =>
          request('GET', path + queryOf({ ...filters, cursor }), { [name]: 'list' }, rest),
        (page) => page[name],
      );
  const move = (kind: string) => (id: string, body: Movement, rest?: MovementOptions) =>
    once<TransferLine>(`${account(id)}/${kind}`, body, rest);
  return {
    accounts: {
      list: list('/accounts', 'accounts'),
      get: (id, rest) => ask('GET', account(id), rest),
      create: (made, rest) => {
        const body = typeof made === 'string' ? { name: made } : made;
        return once('/accounts', body, rest);
      },
      change: (id, body, rest) => ask('PATCH', account(id), { body, ...rest }),
      topUp: move('topups'),
      adjust: move('adjustments'),
      refund: move('refunds'),
    },
    keys: {
      list: (id, rest) => list<KeyList, Key, 'keys'>(`${account(id)}/keys`, 'keys')({}, rest),
      create: (id, body, rest) => once(`${account(id)}/keys`, body, rest),
      change: (id, body, rest) =>
        ask('PATCH', `/keys/${encodeURIComponent(id)}`, { body, ...rest }),
      rotate: (id, body = {}, rest = {}) =>
        once(`/keys/${encodeURIComponent(id)}/rotate`, body, rest),
      endOverlap: (id, rest) => ask('DELETE', `/keys/${encodeURIComponent(id)}/previous`, rest),
      revoke: (id, rest) => ask('DELETE', `/keys/${encodeURIComponent(id)}`, rest),
    },
    people: {
      list: (rest) => ask('GET', '/people', rest, { people: 'list', invites: 'list' }),
      invite: (body, rest) => once('/invites', body, rest),
      withdraw: (id, rest) => ask('DELETE', `/invites/${encodeURIComponent(id)}`, rest, anyShape),
      change: (id, body, rest) => ask('PATCH', person(id), { body, ...rest }),
      remove: (id, rest) => ask('DELETE', person(id), rest, anyShape),
      resetPassword: (id, rest) =>
        ask('POST', `${person(id)}/reset`, { body: {}, ...rest }, { token: 'string' }),
    },
    audit: list('/audit', 'entries'),
    webhooks: makeWebhookClient({ ask, once, list }),
    budgets: makeBudgetClient({ ask, once, list }),
    jobs: list('/jobs', 'jobs'),
    requests: list('/requests', 'requests'),
    request: (id, rest) => ask('GET', `/requests/${encodeURIComponent(id)}`, rest),
    transfers: list('/transfers', 'transfers'),
    usage: (filters = {}, rest = {}) =>
      ask('GET', `/usage${queryOf(filters)}`, rest, { usage: 'list' }),
    overview: (filters = {}, rest = {}) =>
      ask('GET', `/overview${queryOf(filters)}`, rest, { points: 'list' }),
    activity: (id, rest) =>
      ask('GET', `/activity${queryOf({ account_id: id })}`, rest, { version: 'string' }),
    attention: (id, rest) =>
      ask('GET', `/attention${queryOf({ account_id: id })}`, rest, { items: 'list' }),
    settings: (rest) => ask('GET', '/settings', rest, anyShape),
    providers: {
      records: (rest) => ask('GET', '/provider-records', rest, { records: 'list' }),
      check: (id, rest) =>
        ask('POST', `/providers/${encodeURIComponent(id)}/check`, rest, { provider: 'string' }),
    },
  };
}

const oneShape: Shape = { id: 'string' };
const anyShape: Shape = {};

function account(id: string): string {
  return `/accounts/${encodeURIComponent(id)}`;
}

function person(id: string): string {
  return `/people/${encodeURIComponent(id)}`;
}
