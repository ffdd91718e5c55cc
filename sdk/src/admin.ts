// The operator's client: accounts, balances, keys, the ledger, the request log and usage.
import type {
  Account,
  AccountList,
  Key,
  KeyChange,
  KeyList,
  KeyRequest,
  NewKey,
  RequestList,
  TransferLine,
  TransferList,
  UsageReport,
} from '@trivium/contract';
import { transportOf } from './client.ts';
import type { CallOptions, ClientOptions } from './client.ts';
import { send } from './send.ts';
import type { Call } from './send.ts';

export interface AdminOptions extends Omit<ClientOptions, 'api_key' | 'on_warning'> {
  /** The operator's token; not an API key. */
  admin_token: string;
}

export type Filters = Readonly<Record<string, string | number | undefined>>;

export interface MovementOptions extends CallOptions {
  /** Generated for each call unless given, so that a retry moves no money twice. */
  idempotency_key?: string | undefined;
}

export interface Movement {
  amount_usd: number;
  /** Recorded in the ledger permanently. */
  reason: string;
}

export interface AdminClient {
  accounts: {
    list: (filters?: Filters, options?: CallOptions) => Promise<AccountList>;
    get: (id: string, options?: CallOptions) => Promise<Account>;
    create: (name: string, options?: CallOptions) => Promise<Account>;
    topUp: (id: string, movement: Movement, options?: MovementOptions) => Promise<TransferLine>;
    adjust: (id: string, movement: Movement, options?: MovementOptions) => Promise<TransferLine>;
    refund: (
      id: string,
      movement: Movement & { request_id: string },
      options?: MovementOptions,
    ) => Promise<TransferLine>;
  };
  keys: {
    list: (accountId: string, options?: CallOptions) => Promise<KeyList>;
    /** The response contains the key itself; it is shown only once. */
    create: (accountId: string, request: KeyRequest, options?: CallOptions) => Promise<NewKey>;
    change: (id: string, change: KeyChange, options?: CallOptions) => Promise<Key>;
    revoke: (id: string, options?: CallOptions) => Promise<Key>;
  };
  requests: (filters?: Filters, options?: CallOptions) => Promise<RequestList>;
  transfers: (filters?: Filters, options?: CallOptions) => Promise<TransferList>;
  usage: (filters?: Filters, options?: CallOptions) => Promise<UsageReport>;
}

export function createAdminClient({ admin_token, ...options }: AdminOptions): AdminClient {
  const transport = transportOf({ ...options, api_key: admin_token });
  const ask = <T>(method: Call['method'], path: string, rest: Partial<Call> = {}) =>
    send<T>(transport, { method, path: `/admin/v1${path}`, ...rest });
  const list =
    <T>(path: string) =>
    (filters: Filters = {}, rest: CallOptions = {}) =>
      ask<T>('GET', path + queryOf(filters), rest);
  const move =
    (kind: string) =>
    (id: string, body: Movement, rest: MovementOptions = {}) => {
      const { idempotency_key = crypto.randomUUID(), ...more } = rest;
      return ask<TransferLine>('POST', `${account(id)}/${kind}`, {
        body,
        idempotency_key,
        ...more,
      });
    };
  return {
    accounts: {
      list: list('/accounts'),
      get: (id, rest) => ask('GET', account(id), rest),
      create: (name, rest) => ask('POST', '/accounts', { body: { name }, ...rest }),
      topUp: move('topups'),
      adjust: move('adjustments'),
      refund: move('refunds'),
    },
    keys: {
      list: (id, rest) => ask('GET', `${account(id)}/keys`, rest),
      create: (id, body, rest) => ask('POST', `${account(id)}/keys`, { body, ...rest }),
      change: (id, body, rest) =>
        ask('PATCH', `/keys/${encodeURIComponent(id)}`, { body, ...rest }),
      revoke: (id, rest) => ask('DELETE', `/keys/${encodeURIComponent(id)}`, rest),
    },
    requests: list('/requests'),
    transfers: list('/transfers'),
    usage: list('/usage'),
  };
}

function account(id: string): string {
  return `/accounts/${encodeURIComponent(id)}`;
}

function queryOf(filters: Filters): string {
  const given = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
