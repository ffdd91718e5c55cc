// Written by scripts/clients.ts from the operations: do not edit.
import type {
  Account,
  AccountChange,
  AccountList,
  AccountRequest,
  Activity,
  AdjustmentRequest,
  AuditEntry,
  AuditList,
  Budget,
  BudgetList,
  BudgetRequest,
  DeliveryDetail,
  DeliveryList,
  ErrorKindList,
  FoundList,
  Incident,
  IncidentChange,
  IncidentList,
  InviteRequest,
  JobLine,
  JobList,
  JobRecording,
  Key,
  KeyChange,
  KeyList,
  KeyRequest,
  KeyRotation,
  NewInvite,
  NewKey,
  NewWebhook,
  NoteRequest,
  Overview,
  PeopleList,
  Person,
  PersonChange,
  ProviderCheck,
  ProviderHourList,
  ProviderRecordList,
  RefundRequest,
  Removed,
  RequestAnswer,
  RequestLine,
  RequestList,
  RequestNote,
  ResetLink,
  SavedView,
  Scorecard,
  SecretRotation,
  SettingsView,
  TopupRequest,
  TransferLine,
  TransferList,
  UsageComparison,
  UsageReport,
  ViewChange,
  ViewList,
  ViewRequest,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookList,
  WebhookRequest,
  WebhookSecret,
} from '@trivium/contract';
import { providerPart } from './admin-calls.ts';
import type { AdminCalls, KeyedOptions, Options } from './admin-calls.ts';
import type { ApiPromise, PagePromise } from './api-promise.ts';
import type {
  AccountFilters,
  AccountJobFilters,
  AccountUsageFilters,
  AnswerFilters,
  AuditFilters,
  DeliveryFilters,
  ErrorFilters,
  FindFilters,
  IncidentFilters,
  JobRecordingFilters,
  OverviewFilters,
  RequestFilters,
  ScorecardFilters,
  TransferFilters,
  UsageChangeFilters,
  WebhookFilters,
} from './filters.ts';
import { queryOf } from './lists.ts';
import type { List } from './lists.ts';
import type { EitherName } from './names.ts';

export interface AdminClient {
  /**
   * Find keys, accounts, people, requests and jobs by name or id. Returns what has this text
   * in its name, or as its id. Members find keys, requests and jobs of their account;
   * operators find those of all accounts, and accounts and people.
   */
  find: (filters: EitherName<FindFilters>, options?: Options) => ApiPromise<FoundList>;
  /**
   * Sum usage by day, provider, key, tool, account or tag. Returns requests, their outcomes
   * and cost, added up by group.
   */
  usage: (filters?: EitherName<AccountUsageFilters>, options?: Options) => ApiPromise<UsageReport>;
  /**
   * Explain the change of usage between two ranges. Compares a range with the one before it,
   * which is as long, and names the keys, providers and tags that account for at least a third
   * of the difference.
   */
  usageChange: (
    filters: EitherName<UsageChangeFilters>,
    options?: Options,
  ) => ApiPromise<UsageComparison>;
  /**
   * Compare search engines by measured quality, price, latency and failures. Returns, for an
   * account or for the deployment, how good the answers of each engine were by agreement with
   * other engines and by feedback, with intervals, weeks and changes.
   */
  scorecard: (filters?: EitherName<ScorecardFilters>, options?: Options) => ApiPromise<Scorecard>;
  /**
   * Read the balance, requests, outcomes and latency of an account over a time range. Returns
   * the figures of the overview page of the dashboard.
   */
  overview: (filters: EitherName<OverviewFilters>, options?: Options) => ApiPromise<Overview>;
  /**
   * See whether something has happened on an account. Returns a version that changes with the
   * requests, jobs, money and incidents of the account.
   */
  activity: (accountId: string, options?: Options) => ApiPromise<Activity>;
  /**
   * Read the settings that apply. Returns every setting that this gateway was started with.
   * Secrets are hidden.
   */
  settings: (options?: Options) => ApiPromise<SettingsView>;
  /** Accounts and their balances. */
  accounts: {
    /** Creates an account with an empty balance, and its policy if one is given. */
    create: (
      request: string | EitherName<AccountRequest>,
      options?: KeyedOptions,
    ) => ApiPromise<Account>;
    /** List accounts, newest first. */
    list: List<AccountList, Account, AccountFilters>;
    /** Read an account. Returns an account with its balance. */
    get: (id: string, options?: Options) => ApiPromise<Account>;
    /**
     * Changes the name or the policy of an account. This gateway applies it immediately, others
     * within half a second. Null removes a limit.
     */
    update: (
      id: string,
      change: EitherName<AccountChange>,
      options?: Options,
    ) => ApiPromise<Account>;
    /** Adds money to the balance. */
    topUp: (
      id: string,
      request: EitherName<TopupRequest>,
      options?: KeyedOptions,
    ) => ApiPromise<TransferLine>;
    /** Changes the balance by a positive or negative amount, to correct a mistake. */
    adjust: (
      id: string,
      request: EitherName<AdjustmentRequest>,
      options?: KeyedOptions,
    ) => ApiPromise<TransferLine>;
    /** Refund the cost of a request. Returns all or part of the cost of a request to the balance. */
    refund: (
      id: string,
      request: EitherName<RefundRequest>,
      options?: KeyedOptions,
    ) => ApiPromise<TransferLine>;
  };
  /** The API keys of accounts. */
  keys: {
    /**
     * Creates an API key for an account, with optional caps, expiry and policy. Members may set
     * the name, the caps, the expiry and the providers. It is shown only once.
     */
    create: (
      accountId: string,
      request: EitherName<KeyRequest>,
      options?: KeyedOptions,
    ) => ApiPromise<NewKey>;
    /** List the keys of an account. Returns the keys of an account, without their secrets. */
    list: (accountId: string, options?: Options) => PagePromise<KeyList, Key>;
    /**
     * Changes the name, the limits or the policy of a key. Members may change the name, the
     * caps, the expiry and the providers. Null removes a limit.
     */
    update: (id: string, change: EitherName<KeyChange>, options?: Options) => ApiPromise<Key>;
    /** Makes a key permanently invalid, with immediate effect. */
    revoke: (id: string, options?: Options) => ApiPromise<Key>;
    /**
     * Give a key a new secret; the old one keeps working for a while. The key keeps its id, its
     * limits and its spending. Only one old secret works besides the new one: rotating again
     * ends it. To rotate TRIVIUM_BOOTSTRAP_KEY, change the setting.
     */
    rotate: (
      id: string,
      rotation?: EitherName<Partial<KeyRotation>>,
      options?: KeyedOptions,
    ) => ApiPromise<NewKey>;
    /**
     * End the old secret of a rotated key immediately. From now on only the newest secret of the
     * key works.
     */
    endOverlap: (id: string, options?: Options) => ApiPromise<Key>;
  };
  /** How much requests with a tag value may spend. */
  budgets: {
    /**
     * Caps what the account's requests with this tag value may spend in a UTC day or month. It
     * replaces an existing budget of the tag value; without a cap, it removes it.
     */
    set: (
      accountId: string,
      request: EitherName<Pick<BudgetRequest, 'tag' | 'value'> & Partial<BudgetRequest>>,
      options?: KeyedOptions,
    ) => ApiPromise<Budget>;
    /** Delete the budget of a tag value. */
    delete: (
      accountId: string,
      request: Pick<BudgetRequest, 'tag' | 'value'>,
      options?: KeyedOptions,
    ) => ApiPromise<Budget>;
    /**
     * List the budgets of an account. Returns every budget, and the spending that counts towards
     * it today and this month.
     */
    list: (accountId: string, options?: Options) => PagePromise<BudgetList, Budget>;
  };
  /** Named addresses of the lists in the dashboard. */
  views: {
    /**
     * Save a view of a list in the dashboard. Names the filters, the columns and the order of a
     * list, for everyone who can see the account. An account can have 100 views, whose names
     * differ on each page.
     */
    create: (
      accountId: string,
      request: EitherName<ViewRequest>,
      options?: KeyedOptions,
    ) => ApiPromise<SavedView>;
    /** List the saved views of an account. Returns the views of every page, ordered by name. */
    list: (accountId: string, options?: Options) => PagePromise<ViewList, SavedView>;
    /** Changes the name of a view, or what it shows. */
    update: (
      id: string,
      change: EitherName<ViewChange>,
      options?: Options,
    ) => ApiPromise<SavedView>;
    /** Removes a view. What it shows is not changed. */
    delete: (id: string, options?: Options) => ApiPromise<Removed>;
  };
  /** The request log. */
  requests: {
    /** List requests, newest first. */
    list: List<RequestList, RequestLine, RequestFilters>;
    /**
     * Group the errors of the request log by kind. Returns how often each kind of error
     * occurred, when it was first and last seen, and the latest request with it. It examines the
     * newest 100,000 requests in the range.
     */
    errors: (filters?: EitherName<ErrorFilters>, options?: Options) => ApiPromise<ErrorKindList>;
    /** Finds a request by its id, by the id of its answer, or by the id of its job. */
    get: (id: string, options?: Options) => ApiPromise<RequestLine>;
    /**
     * Read the answer to a request of the log. Returns the answer to a search or an extraction,
     * if the gateway keeps answers. The answer of a transcription is kept with its job.
     */
    answer: (
      id: string,
      filters?: EitherName<AnswerFilters>,
      options?: Options,
    ) => ApiPromise<RequestAnswer>;
    /** Notes that people write on requests; each request has its own. */
    notes: {
      /** Adds a note, which everyone who can see the request can read. A request can have 20 notes. */
      create: (
        id: string,
        request: EitherName<NoteRequest>,
        options?: KeyedOptions,
      ) => ApiPromise<RequestNote>;
      /** Changes the text of a note. Only its author and operators may do this. */
      update: (
        id: string,
        request: EitherName<NoteRequest>,
        options?: Options,
      ) => ApiPromise<RequestNote>;
      /** Deletes a note. Only its author and operators may do this. */
      delete: (id: string, options?: Options) => ApiPromise<Removed>;
    };
  };
  /** The ledger. */
  transfers: {
    /** List ledger lines, newest first. */
    list: List<TransferList, TransferLine, TransferFilters>;
  };
  /** Transcription jobs of every account. */
  jobs: {
    /** List transcription jobs, newest first. */
    list: List<JobList, JobLine, AccountJobFilters>;
    /**
     * Read where the recording of a job can be heard. Returns the address that the caller gave,
     * or that of an upload while it is kept. Viewers get only an address without a signature.
     * The gateway does not contact it.
     */
    recording: (
      id: string,
      filters?: EitherName<JobRecordingFilters>,
      options?: Options,
    ) => ApiPromise<JobRecording>;
  };
  /** What fails or is used up, from its start to its end. */
  incidents: {
    /** List incidents, newest first. */
    list: List<IncidentList, Incident, IncidentFilters>;
    /**
     * Mute an incident, or note something about it. Everyone who sees the incident sees the
     * change, and it is in the audit log. The account in the query is the one whose incidents
     * were listed.
     */
    update: (
      id: string,
      accountId: string,
      change: EitherName<IncidentChange>,
      options?: Options,
    ) => ApiPromise<Incident>;
  };
  /** Who changed what. */
  audit: {
    /** List changes, newest first. */
    list: List<AuditList, AuditEntry, AuditFilters>;
  };
  /** The people who can sign in to the dashboard. */
  people: {
    /**
     * List the people who can sign in, and open invitations. Returns everyone who can sign in to
     * the dashboard.
     */
    list: (options?: Options) => ApiPromise<PeopleList>;
    /**
     * Change the role of a person. Takes effect with the person's next request. The last
     * operator cannot be demoted.
     */
    update: (id: string, change: EitherName<PersonChange>, options?: Options) => ApiPromise<Person>;
    /** Removes a person and ends all of their sessions. */
    delete: (id: string, options?: Options) => ApiPromise<Removed>;
    /**
     * Create a link for choosing a new password. The link works for a day, or until the password
     * is changed. Pass it on to the person yourself.
     */
    resetPassword: (id: string, options?: Options) => ApiPromise<ResetLink>;
  };
  /** Links that give people access to the dashboard; `people.list` lists open ones. */
  invitations: {
    /** Creates a link that lets one person join. Its token is shown only once. */
    create: (request: EitherName<InviteRequest>, options?: KeyedOptions) => ApiPromise<NewInvite>;
    /** Makes an invitation link invalid. */
    delete: (id: string, options?: Options) => ApiPromise<Removed>;
  };
  /** The health of the providers. */
  providers: {
    /**
     * Read the recent latency and failures of each provider. Returns the latency and failures of
     * the latest requests, by provider.
     */
    records: (options?: Options) => ApiPromise<ProviderRecordList>;
    /**
     * Read how often and how fast a provider answered, by hour. Returns the hours of the last 30
     * days in which requests reached the provider.
     */
    hours: (provider: string, options?: Options) => ApiPromise<ProviderHourList>;
    /** Calls the provider once with its configured credential, and reports the result. */
    check: (provider: string, options?: Options) => ApiPromise<ProviderCheck>;
  };
  /** Endpoints for events, and their secrets. */
  webhooks: {
    /**
     * Creates an endpoint for the account in the query. Without an account, operators create an
     * endpoint for the gateway itself. Its secret is shown only once.
     */
    create: (
      accountId: string | undefined,
      request: EitherName<Pick<WebhookRequest, 'url' | 'events'> & Partial<WebhookRequest>>,
      options?: KeyedOptions,
    ) => ApiPromise<NewWebhook>;
    /** List endpoints, newest first. */
    list: List<WebhookList, Webhook, WebhookFilters>;
    /** Read an endpoint. Returns an endpoint without its secret. */
    get: (id: string, options?: Options) => ApiPromise<Webhook>;
    /**
     * Changes the given fields. Events for a paused endpoint are kept and sent when it is
     * resumed.
     */
    update: (
      id: string,
      change: EitherName<WebhookChange>,
      options?: Options,
    ) => ApiPromise<Webhook>;
    /** Pause an endpoint. Its events are kept. */
    pause: (id: string, options?: Options) => ApiPromise<Webhook>;
    /** Resume an endpoint. The events that were kept are sent. */
    resume: (id: string, options?: Options) => ApiPromise<Webhook>;
    /** Deletes an endpoint. Its pending deliveries are cancelled. */
    delete: (id: string, options?: Options) => ApiPromise<Removed>;
    /**
     * Replace the secret of an endpoint; the new one is shown only once. During the overlap each
     * delivery carries a signature of both secrets.
     */
    rotate: (
      id: string,
      rotation?: EitherName<Partial<SecretRotation>>,
      options?: KeyedOptions,
    ) => ApiPromise<NewWebhook>;
    /**
     * Send a test event to an endpoint. Queues the event webhook.test, even for a paused
     * endpoint. The result appears in the list of deliveries.
     */
    test: (id: string, options?: KeyedOptions) => ApiPromise<WebhookDelivery>;
    /**
     * Read the secret that signs deliveries to x-trivium-webhook. Returns the secret of the
     * account for the addresses in x-trivium-webhook.
     */
    secret: (accountId: string, options?: Options) => ApiPromise<WebhookSecret>;
    /**
     * Replace the secret that signs deliveries to x-trivium-webhook. During the overlap each
     * delivery carries a signature of both secrets.
     */
    rotateSecret: (
      accountId: string,
      rotation?: EitherName<Partial<SecretRotation>>,
      options?: KeyedOptions,
    ) => ApiPromise<WebhookSecret>;
    /** The log of deliveries. */
    deliveries: {
      /** List deliveries, newest first. */
      list: List<DeliveryList, WebhookDelivery, DeliveryFilters>;
      /**
       * Read a delivery with its payload. Returns one delivery of the log, the data of its event,
       * and its attempts.
       */
      get: (id: string, options?: Options) => ApiPromise<DeliveryDetail>;
      /**
       * Send an event again. Sends it now, with the same webhook-id, and retries for another 24
       * hours.
       */
      redeliver: (id: string, options?: KeyedOptions) => ApiPromise<WebhookDelivery>;
    };
  };
}

export function adminMethods({ ask, change, list }: AdminCalls): AdminClient {
  return {
    find: (filters, rest) => ask('GET', `/find${queryOf(filters)}`, rest, { found: 'list' }),
    usage: (filters = {}, rest) => ask('GET', `/usage${queryOf(filters)}`, rest, { usage: 'list' }),
    usageChange: (filters, rest) =>
      ask('GET', `/usage/change${queryOf(filters)}`, rest, { causes: 'list' }),
    scorecard: (filters = {}, rest) =>
      ask('GET', `/scorecard${queryOf(filters)}`, rest, { lines: 'list' }),
    overview: (filters, rest) =>
      ask('GET', `/overview${queryOf(filters)}`, rest, { points: 'list' }),
    activity: (accountId, rest) =>
      ask('GET', `/activity${queryOf({ account_id: accountId })}`, rest, { version: 'string' }),
    settings: (rest) => ask('GET', '/settings', rest, { settings: 'list' }),
    accounts: {
      create: (body, rest) =>
        change('POST', '/accounts', typeof body === 'string' ? { name: body } : body, rest),
      list: list('/accounts', 'accounts'),
      get: (id, rest) => ask('GET', `/accounts/${part(id)}`, rest),
      update: (id, body, rest) => change('PATCH', `/accounts/${part(id)}`, body, rest),
      topUp: (id, body, rest) => change('POST', `/accounts/${part(id)}/topups`, body, rest),
      adjust: (id, body, rest) => change('POST', `/accounts/${part(id)}/adjustments`, body, rest),
      refund: (id, body, rest) => change('POST', `/accounts/${part(id)}/refunds`, body, rest),
    },
    keys: {
      create: (accountId, body, rest) =>
        change('POST', `/accounts/${part(accountId)}/keys`, body, rest),
      list: (accountId, rest) =>
        list<KeyList, Key, object, 'keys'>(`/accounts/${part(accountId)}/keys`, 'keys')({}, rest),
      update: (id, body, rest) => change('PATCH', `/keys/${part(id)}`, body, rest),
      revoke: (id, rest) => ask('DELETE', `/keys/${part(id)}`, rest),
      rotate: (id, body = {}, rest) => change('POST', `/keys/${part(id)}/rotate`, body, rest),
      endOverlap: (id, rest) => ask('DELETE', `/keys/${part(id)}/previous`, rest),
    },
    budgets: {
      set: (accountId, body, rest) =>
        change('POST', `/accounts/${part(accountId)}/budgets`, body, rest, {
          tag: 'string',
          value: 'string',
        }),
      delete: (accountId, { tag, value }, rest) =>
        change('POST', `/accounts/${part(accountId)}/budgets`, { tag, value }, rest, {
          tag: 'string',
          value: 'string',
        }),
      list: (accountId, rest) =>
        list<BudgetList, Budget, object, 'budgets'>(
          `/accounts/${part(accountId)}/budgets`,
          'budgets',
        )({}, rest),
    },
    views: {
      create: (accountId, body, rest) =>
        change('POST', `/accounts/${part(accountId)}/views`, body, rest),
      list: (accountId, rest) =>
        list<ViewList, SavedView, object, 'views'>(`/accounts/${part(accountId)}/views`, 'views')(
          {},
          rest,
        ),
      update: (id, body, rest) => change('PATCH', `/views/${part(id)}`, body, rest),
      delete: (id, rest) => ask('DELETE', `/views/${part(id)}`, rest),
    },
    requests: {
      list: list('/requests', 'requests'),
      errors: (filters = {}, rest) =>
        ask('GET', `/requests/errors${queryOf(filters)}`, rest, { errors: 'list' }),
      get: (id, rest) => ask('GET', `/requests/${part(id)}`, rest),
      answer: (id, filters = {}, rest) =>
        ask('GET', `/requests/${part(id)}/answer${queryOf(filters)}`, rest),
      notes: {
        create: (id, body, rest) => change('POST', `/requests/${part(id)}/notes`, body, rest),
        update: (id, body, rest) => change('PATCH', `/notes/${part(id)}`, body, rest),
        delete: (id, rest) => ask('DELETE', `/notes/${part(id)}`, rest),
      },
    },
    transfers: {
      list: list('/transfers', 'transfers'),
    },
    jobs: {
      list: list('/jobs', 'jobs'),
      recording: (id, filters = {}, rest) =>
        ask('GET', `/jobs/${part(id)}/recording${queryOf(filters)}`, rest, {}),
    },
    incidents: {
      list: list('/incidents', 'incidents'),
      update: (id, accountId, body, rest) =>
        change('PATCH', `/incidents/${part(id)}${queryOf({ account_id: accountId })}`, body, rest),
    },
    audit: {
      list: list('/audit', 'entries'),
    },
    people: {
      list: (rest) => ask('GET', '/people', rest, { people: 'list' }),
      update: (id, body, rest) => change('PATCH', `/people/${part(id)}`, body, rest),
      delete: (id, rest) => ask('DELETE', `/people/${part(id)}`, rest),
      resetPassword: (id, rest) =>
        ask('POST', `/people/${part(id)}/reset`, rest, { token: 'string' }),
    },
    invitations: {
      create: (body, rest) => change('POST', '/invites', body, rest),
      delete: (id, rest) => ask('DELETE', `/invites/${part(id)}`, rest),
    },
    providers: {
      records: (rest) => ask('GET', '/provider-records', rest, { records: 'list' }),
      hours: (provider, rest) =>
        ask('GET', `/providers/${providerPart(provider)}/hours`, rest, { hours: 'list' }),
      check: (provider, rest) =>
        ask('POST', `/providers/${providerPart(provider)}/check`, rest, {
          provider: 'string',
          message: 'string',
        }),
    },
    webhooks: {
      create: (accountId, body, rest) =>
        change('POST', `/webhooks${queryOf({ account_id: accountId })}`, body, rest),
      list: list('/webhooks', 'webhooks'),
      get: (id, rest) => ask('GET', `/webhooks/${part(id)}`, rest),
      update: (id, body, rest) => change('PATCH', `/webhooks/${part(id)}`, body, rest),
      pause: (id, rest) => change('PATCH', `/webhooks/${part(id)}`, { paused: true }, rest),
      resume: (id, rest) => change('PATCH', `/webhooks/${part(id)}`, { paused: false }, rest),
      delete: (id, rest) => ask('DELETE', `/webhooks/${part(id)}`, rest),
      rotate: (id, body = {}, rest) => change('POST', `/webhooks/${part(id)}/rotate`, body, rest),
      test: (id, rest) => change('POST', `/webhooks/${part(id)}/test`, undefined, rest),
      secret: (accountId, rest) =>
        ask('GET', `/accounts/${part(accountId)}/webhook-secret`, rest, {
          account_id: 'string',
          secret: 'string',
        }),
      rotateSecret: (accountId, body = {}, rest) =>
        change('POST', `/accounts/${part(accountId)}/webhook-secret/rotate`, body, rest, {
          account_id: 'string',
          secret: 'string',
        }),
      deliveries: {
        list: list('/webhooks/deliveries', 'deliveries'),
        get: (id, rest) => ask('GET', `/webhooks/deliveries/${part(id)}/detail`, rest),
        redeliver: (id, rest) =>
          change('POST', `/webhooks/deliveries/${part(id)}/redeliver`, undefined, rest),
      },
    },
  };
}

const part = encodeURIComponent;
