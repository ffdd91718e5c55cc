// The operator's API under /admin/v1: accounts, money, keys and reports.
import {
  AccountRequest,
  AdjustmentRequest,
  KeyChange,
  KeyRequest,
  PageQuery,
  RefundRequest,
  RequestQuery,
  TopupRequest,
  TransferQuery,
  UsageQuery,
} from '@trivium/contract';
import type { z } from 'zod';
import {
  adjust,
  createAccount,
  readAccount,
  readAccounts,
  refund,
  topUp,
} from '../../services/admin-accounts.ts';
import type { Movement } from '../../services/admin-accounts.ts';
import { changeKey, createKey, readKeys, withdrawKey } from '../../services/admin-keys.ts';
import { readRequests, readTransfers, readUsage } from '../../services/admin-reports.ts';
import type { Authenticator } from '../../services/authenticate.ts';
import type { House } from '../../services/house.ts';
import type { Route } from '../app.ts';
import { validate } from '../body.ts';
import type { AdminRoute } from '../member-scope.ts';

export function adminRoutes(house: House, authenticator: Authenticator): Route[] {
  /** This gateway must know of a changed key before the operator is told. */
  const thenForget = async <T>(change: Promise<T>): Promise<T> => {
    const changed = await change;
    await authenticator.refresh();
    return changed;
  };
  return [
    admin('POST', '/accounts', {
      scope: 'gateway',
      handle: async ({ body }) => created(createAccount(house, (await body(AccountRequest)).name)),
    }),
    admin('GET', '/accounts', {
      scope: 'gateway',
      handle: ({ query }) => shown(readAccounts(house, validate(PageQuery, query))),
    }),
    admin('GET', '/accounts/:id', {
      scope: 'account_in_path',
      handle: ({ account_id }) => shown(readAccount(house, account_id)),
    }),
    move('topups', TopupRequest, (movement, asked) => topUp(house, movement, asked)),
    move('adjustments', AdjustmentRequest, (movement, asked) => adjust(house, movement, asked)),
    move('refunds', RefundRequest, (movement, asked) => refund(house, movement, asked)),
    admin('POST', '/accounts/:id/keys', {
      scope: 'account_in_path',
      handle: async ({ account_id, body }) =>
        created(createKey(house, account_id, await body(KeyRequest))),
    }),
    admin('GET', '/accounts/:id/keys', {
      scope: 'account_in_path',
      handle: async ({ account_id }) => {
        await authenticator.noteUses();
        return shown(readKeys(house, account_id));
      },
    }),
    admin('PATCH', '/keys/:id', {
      scope: 'key_in_path',
      handle: async ({ key_id, body }) =>
        shown(thenForget(changeKey(house, key_id, await body(KeyChange)))),
    }),
    admin('DELETE', '/keys/:id', {
      scope: 'key_in_path',
      handle: ({ key_id }) => shown(thenForget(withdrawKey(house, key_id))),
    }),
    report('/requests', RequestQuery, (query) => readRequests(house, query)),
    report('/transfers', TransferQuery, (query) => readTransfers(house, query)),
    report('/usage', UsageQuery, (query) => readUsage(house, query)),
  ];
}

type Served = Without<AdminRoute, 'operator' | 'public'>;
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;

export function admin(method: Route['method'], path: string, served: Served): Route {
  return { ...served, method, path: `/admin/v1${path}`, operator: true };
}

/** What can be read of one account, or by an operator of all. */
export function report<T>(
  path: string,
  schema: z.ZodType<T>,
  read: (query: T) => Promise<object>,
): Route {
  return admin('GET', path, {
    scope: 'account_in_query',
    handle: ({ query, account_id }) =>
      shown(read(validate(schema, account_id === undefined ? query : { ...query, account_id }))),
  });
}

function move<T>(
  path: string,
  schema: z.ZodType<T>,
  make: (movement: Movement, asked: T) => Promise<object>,
): Route {
  return admin('POST', `/accounts/:id/${path}`, {
    scope: 'money_in_path',
    handle: async ({ account_id, idempotency_key, body }) => {
      const movement = { account_id, key: idempotency_key() };
      return created(make(movement, await body(schema)));
    },
  });
}

export async function shown(read: Promise<object>): Promise<Response> {
  return Response.json(await read);
}

export async function created(make: Promise<object>): Promise<Response> {
  return Response.json(await make, { status: 201 });
}
