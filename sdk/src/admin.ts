// The operator's client: accounts, balances, keys, the ledger, the request log and usage.
import { idOfVendor } from '@trivium/contract/provider-names';
import type {
  Account,
  AccountChange,
  AccountList,
  AccountRequest,
  Activity,
  AttentionList,
  AuditEntry,
  AuditList,
  ErrorKindList,
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
  ProviderHourList,
  ProviderRecordList,
  RequestAnswer,
  RequestLine,
  RequestList,
  ResetLink,
  SettingsView,
  TransferLine,
  TransferList,
  Scorecard,
  UsageReport,
} from '@trivium/contract';
import { makeBudgetClient } from './admin-budgets.ts';
import type { BudgetClient } from './admin-budgets.ts';
import { makeWebhookClient } from './admin-webhooks.ts';
import type { AdminCalls, MovementOptions, WebhookClient } from './admin-webhooks.ts';
import { apiPromise, pagePromise } from './api-promise.ts';
import type { ApiPromise, PagePromise } from './api-promise.ts';
import type {
  AccountFilters,
  AccountJobFilters,
  AccountUsageFilters,
  AnswerFilters,
  AuditFilters,
  ErrorFilters,
  OverviewFilters,
  RequestFilters,
  ScorecardFilters,
  TransferFilters,
} from './filters.ts';
import { queryOf } from './lists.ts';
import type { List } from './lists.ts';
import { optionsOf, wireRequest } from './names.ts';
import type { EitherName, EitherOption } from './names.ts';
import { transportOf } from './options.ts';
import type { CallOptions, TransportOptions } from './options.ts';
import { newIdempotencyKey, send } from './send.ts';
import type { Call, Shape } from './send.ts';

export interface AdminOptions extends TransportOptions {
  /** The operator's token, not an API key; TRIVIUM_ADMIN_TOKEN by default. */
  adminToken?: string | undefined;
}

export interface Movement {
  amount_usd: number;
  /** Recorded in the ledger permanently. */
  reason: string;
}

type Options = EitherOption<CallOptions>;
type KeyedOptions = EitherOption<MovementOptions>;

export interface AdminClient {
  accounts: {
    list: List<AccountList, Account, AccountFilters>;
    get: (id: string, options?: Options) => ApiPromise<Account>;
    /** A name, or a name with a policy. */
    create: (
      account: string | EitherName<AccountRequest>,
      options?: KeyedOptions,
    ) => ApiPromise<Account>;
    /** Changes only the given fields; null removes a limit. */
    update: (
      id: string,
      change: EitherName<AccountChange>,
      options?: Options,
    ) => ApiPromise<Account>;
    topUp: (
      id: string,
      movement: EitherName<Movement>,
      options?: KeyedOptions,
    ) => ApiPromise<TransferLine>;
    adjust: (
      id: string,
      movement: EitherName<Movement>,
      options?: KeyedOptions,
    ) => ApiPromise<TransferLine>;
    refund: (
      id: string,
      movement: EitherName<Movement & { request_id: string }>,
      options?: KeyedOptions,
    ) => ApiPromise<TransferLine>;
  };
  keys: {
    list: (accountId: string, options?: Options) => PagePromise<KeyList, Key>;
    /** The response contains the key itself, which is shown only once. */
    create: (
      accountId: string,
      request: EitherName<KeyRequest>,
      options?: KeyedOptions,
    ) => ApiPromise<NewKey>;
    update: (id: string, change: EitherName<KeyChange>, options?: Options) => ApiPromise<Key>;
    /** The response contains the new secret. The previous one works until `previous_until`. */
    rotate: (
      id: string,
      rotation?: EitherName<KeyRotation>,
      options?: KeyedOptions,
    ) => ApiPromise<NewKey>;
    /** The previous secret stops working immediately, before `previous_until`. */
    endOverlap: (id: string, options?: Options) => ApiPromise<Key>;
    /** The key stops working immediately and permanently. It stays in the list. */
    revoke: (id: string, options?: Options) => ApiPromise<Key>;
  };
  /** The people who may sign in to the dashboard. */
  people: {
    /** The response also contains the open invitations. */
    list: (options?: Options) => ApiPromise<PeopleList>;
    update: (id: string, change: EitherName<PersonChange>, options?: Options) => ApiPromise<Person>;
    delete: (id: string, options?: Options) => ApiPromise<object>;
    /** Creates a link that lets the person choose a new password. */
    resetPassword: (id: string, options?: Options) => ApiPromise<ResetLink>;
  };
  invitations: {
    /** The response contains the token of the link, which is shown only once. */
    create: (request: EitherName<InviteRequest>, options?: KeyedOptions) => ApiPromise<NewInvite>;
    delete: (id: string, options?: Options) => ApiPromise<object>;
  };
  /** Who changed what, newest first. */
  audit: { list: List<AuditList, AuditEntry, AuditFilters> };
  /** Endpoints for events, and their deliveries. */
  webhooks: WebhookClient;
  /** How much requests with a tag value may spend. */
  budgets: BudgetClient;
  jobs: { list: List<JobList, JobLine, AccountJobFilters> };
  /** The request log. */
  requests: {
    list: List<RequestList, RequestLine, RequestFilters>;
    /** Finds a request by its id, the id of its answer, or the id of its job. */
    get: (id: string, options?: Options) => ApiPromise<RequestLine>;
    /** The stored answer of a request; `answer` is null if the gateway does not keep answers. */
    answer: (
      id: string,
      filters?: EitherName<AnswerFilters>,
      options?: Options,
    ) => ApiPromise<RequestAnswer>;
    /** Errors by kind: how often they occurred, and when. */
    errors: (filters?: EitherName<ErrorFilters>, options?: Options) => ApiPromise<ErrorKindList>;
  };
  /** The ledger. */
  transfers: { list: List<TransferList, TransferLine, TransferFilters> };
  usage: (filters?: EitherName<AccountUsageFilters>, options?: Options) => ApiPromise<UsageReport>;
  /** The measured quality, price and speed of search engines. */
  scorecard: (filters?: EitherName<ScorecardFilters>, options?: Options) => ApiPromise<Scorecard>;
  /** Totals and charts of an account over a time range. */
  overview: (filters: EitherName<OverviewFilters>, options?: Options) => ApiPromise<Overview>;
  /** The `version` changes whenever something happens on the account. */
  activity: (accountId: string, options?: Options) => ApiPromise<Activity>;
  /** Problems that need a person's attention. */
  attention: (accountId: string, options?: Options) => ApiPromise<AttentionList>;
  /** The settings of the gateway, without secrets. */
  settings: (options?: Options) => ApiPromise<SettingsView>;
  providers: {
    /** Recent latency and failures. */
    records: (options?: Options) => ApiPromise<ProviderRecordList>;
    /** How often and how fast a provider answered in each hour of the last 30 days. */
    hours: (provider: string, options?: Options) => ApiPromise<ProviderHourList>;
    /** Makes one real call to a provider, given by its id or its vendor's name. */
    check: (provider: string, options?: Options) => ApiPromise<ProviderCheck>;
  };
}

/** Throws a ConfigurationError immediately if the options are invalid. */
export function createAdminClient(given: EitherOption<AdminOptions> = {}): AdminClient {
  const options = optionsOf<AdminOptions>(given);
  const transport = transportOf(options, {
    option: 'adminToken',
    variable: 'TRIVIUM_ADMIN_TOKEN',
    value: options.adminToken,
  });
  const ask = <T>(
    method: Call['method'],
    path: string,
    rest?: EitherOption<CallOptions & Pick<Call, 'body' | 'idempotencyKey'>>,
    shape = oneShape,
  ) => {
    const call = { method, path: `/admin/v1${path}`, shape } as const;
    return apiPromise(send<T>(transport, { ...call, ...optionsOf<CallOptions>(rest) }));
  };
  const patch: AdminCalls['patch'] = (path, body, rest) =>
    ask('PATCH', path, { ...rest, body: wireRequest(body) });
  const once: AdminCalls['once'] = (path, body, rest, shape = oneShape) => {
    const { idempotencyKey = newIdempotencyKey(), ...more } = optionsOf<MovementOptions>(rest);
    const sent = body === undefined ? {} : { body: wireRequest(body) };
    return ask('POST', path, { ...more, ...sent, idempotencyKey }, shape);
  };
  const list: AdminCalls['list'] = (path, name) => (filters, rest) =>
    pagePromise(
      (cursor = (filters as { cursor?: string } | undefined)?.cursor) => {
        const query = queryOf({ ...filters, cursor });
        return ask<never>('GET', path + query, rest, { [name]: 'list' }).withResponse();
      },
      (page) => page[name],
    );
  const move = (kind: string) => (id: string, body: object, rest?: KeyedOptions) =>
    once<TransferLine>(`${account(id)}/${kind}`, body, rest);
  return {
    accounts: {
      list: list('/accounts', 'accounts'),
      get: (id, rest) => ask('GET', account(id), rest),
      create: (made, rest) => {
        const body = typeof made === 'string' ? { name: made } : made;
        return once('/accounts', body, rest);
      },
      update: (id, body, rest) => patch(account(id), body, rest),
      topUp: move('topups'),
      adjust: move('adjustments'),
      refund: move('refunds'),
    },
    keys: {
      list: (id, rest) =>
        list<KeyList, Key, object, 'keys'>(`${account(id)}/keys`, 'keys')({}, rest),
      create: (id, body, rest) => once(`${account(id)}/keys`, body, rest),
      update: (id, body, rest) => patch(`/keys/${encodeURIComponent(id)}`, body, rest),
      rotate: (id, body = {}, rest) => once(`/keys/${encodeURIComponent(id)}/rotate`, body, rest),
      endOverlap: (id, rest) => ask('DELETE', `/keys/${encodeURIComponent(id)}/previous`, rest),
      revoke: (id, rest) => ask('DELETE', `/keys/${encodeURIComponent(id)}`, rest),
    },
    people: {
      list: (rest) => ask('GET', '/people', rest, { people: 'list', invites: 'list' }),
      update: (id, body, rest) => patch(person(id), body, rest),
      delete: (id, rest) => ask('DELETE', person(id), rest, anyShape),
      resetPassword: (id, rest) =>
        ask('POST', `${person(id)}/reset`, { ...rest, body: {} }, { token: 'string' }),
    },
    invitations: {
      create: (body, rest) => once('/invites', body, rest),
      delete: (id, rest) => ask('DELETE', `/invites/${encodeURIComponent(id)}`, rest, anyShape),
    },
    audit: { list: list('/audit', 'entries') },
    webhooks: makeWebhookClient({ ask, patch, once, list }),
    budgets: makeBudgetClient({ once, list }),
    jobs: { list: list('/jobs', 'jobs') },
    requests: {
      list: list('/requests', 'requests'),
      get: (id, rest) => ask('GET', `/requests/${encodeURIComponent(id)}`, rest),
      answer: (id, filters = {}, rest) =>
        ask('GET', `/requests/${encodeURIComponent(id)}/answer${queryOf(filters)}`, rest),
      errors: (filters = {}, rest) =>
        ask('GET', `/requests/errors${queryOf(filters)}`, rest, { errors: 'list' }),
    },
    transfers: { list: list('/transfers', 'transfers') },
    usage: (filters = {}, rest) => ask('GET', `/usage${queryOf(filters)}`, rest, { usage: 'list' }),
    scorecard: (filters = {}, rest) =>
      ask('GET', `/scorecard${queryOf(filters)}`, rest, { lines: 'list' }),
    overview: (filters, rest) =>
      ask('GET', `/overview${queryOf(filters)}`, rest, { points: 'list' }),
    activity: (id, rest) =>
      ask('GET', `/activity${queryOf({ account_id: id })}`, rest, { version: 'string' }),
    attention: (id, rest) =>
      ask('GET', `/attention${queryOf({ account_id: id })}`, rest, { items: 'list' }),
    settings: (rest) => ask('GET', '/settings', rest, anyShape),
    providers: {
      records: (rest) => ask('GET', '/provider-records', rest, { records: 'list' }),
      hours: (provider, rest) =>
        ask('GET', `${providerPath(provider)}/hours`, rest, { hours: 'list' }),
      check: (provider, rest) =>
        ask('POST', `${providerPath(provider)}/check`, rest, { provider: 'string' }),
    },
  };
}

const oneShape: Shape = { id: 'string' };
const anyShape: Shape = {};

function account(id: string): string {
  return `/accounts/${encodeURIComponent(id)}`;
}

function providerPath(name: string): string {
  return `/providers/${encodeURIComponent(idOfVendor(name) ?? name)}`;
}

function person(id: string): string {
  return `/people/${encodeURIComponent(id)}`;
}
