// The operator's API under /admin/v1: accounts, money, keys and reports.
import {
  AccountRequest,
  AdjustmentRequest,
  IdempotencyKey,
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
import type { Incoming, Route } from '../app.ts';
import { readBody, validate } from '../body.ts';

export function adminRoutes(house: House, authenticator: Authenticator): Route[] {
  const list = <T>(path: string, schema: z.ZodType<T>, read: (query: T) => Promise<object>) =>
    operator('GET', path, ({ request }) => read(queryOf(request, schema)));
  const move = <T>(
    path: string,
    schema: z.ZodType<T>,
    make: (movement: Movement, asked: T) => Promise<object>,
  ) =>
    operator('POST', `/accounts/:id/${path}`, async (incoming) =>
      make(movementOf(incoming), await readBody(incoming.request, schema)),
    );
  /** This gateway must know of a changed key before the operator is told. */
  const thenForget = async <T>(change: Promise<T>): Promise<T> => {
    const changed = await change;
    await authenticator.refresh();
    return changed;
  };
  return [
    operator('POST', '/accounts', async ({ request }) => {
      const { name } = await readBody(request, AccountRequest);
      return createAccount(house, name);
    }),
    list('/accounts', PageQuery, (query) => readAccounts(house, query)),
    operator('GET', '/accounts/:id', ({ params }) => readAccount(house, idOf(params))),
    move('topups', TopupRequest, (movement, asked) => topUp(house, movement, asked)),
    move('adjustments', AdjustmentRequest, (movement, asked) => adjust(house, movement, asked)),
    move('refunds', RefundRequest, (movement, asked) => refund(house, movement, asked)),
    operator('POST', '/accounts/:id/keys', async ({ request, params }) =>
      createKey(house, idOf(params), await readBody(request, KeyRequest)),
    ),
    operator('GET', '/accounts/:id/keys', async ({ params }) => {
      await authenticator.noteUses();
      return readKeys(house, idOf(params));
    }),
    operator('PATCH', '/keys/:id', async ({ request, params }) => {
      const change = await readBody(request, KeyChange);
      return thenForget(changeKey(house, idOf(params), change));
    }),
    operator('DELETE', '/keys/:id', ({ params }) => thenForget(withdrawKey(house, idOf(params)))),
    list('/requests', RequestQuery, (query) => readRequests(house, query)),
    list('/transfers', TransferQuery, (query) => readTransfers(house, query)),
    list('/usage', UsageQuery, (query) => readUsage(house, query)),
  ];
}

function operator(
  method: Route['method'],
  path: string,
  handle: (incoming: Incoming) => Promise<object>,
): Route {
  return {
    method,
    path: `/admin/v1${path}`,
    operator: true,
    handle: async (incoming) => {
      const status = method === 'POST' ? 201 : 200;
      return Response.json(await handle(incoming), { status });
    },
  };
}

function queryOf<T>(request: Request, schema: z.ZodType<T>): T {
  return validate(schema, Object.fromEntries(new URL(request.url).searchParams));
}

function idOf(params: Incoming['params']): string {
  return params['id'] ?? '';
}

function movementOf({ request, params }: Incoming): Movement {
  const key = request.headers.get('idempotency-key');
  return {
    account_id: idOf(params),
    key: key === null ? undefined : validate(IdempotencyKey, key),
  };
}
