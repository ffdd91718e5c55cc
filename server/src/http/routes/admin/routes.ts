// The admin API under /admin/v1: accounts, balances, keys and reports.
import {
  GatewayError,
  type KeyChange,
  AccountQuery,
  PolicyChange,
  UsageQuery,
} from '@trivium/contract';
import { type Operation, operations } from '@trivium/contract/operations';
import type { z } from 'zod';
import {
  type AccountsContext,
  type Authenticator,
  changeAccount,
  changeKey,
  type ChangeOnce,
  createAccount,
  createKey,
  endOverlap,
  moveMoney,
  readAccount,
  readAccounts,
  readBudgets,
  readKeys,
  revokeApiKey,
  rotateKey,
  setBudget,
} from '../../../accounts/index.ts';
import { readTransfers, readUsage } from '../../../reporting/index.ts';
import type { Settings } from '../../../settings/index.ts';
import { validate } from '../../middleware/body.ts';
import { usageCsv } from '../../usage-csv.ts';
import type { AdminOptions, AdminRequest, Route } from '../../route.ts';

export function adminRoutes(
  context: AccountsContext & { settings: Pick<Settings, 'request_log_days'> },
  authenticator: Authenticator,
  changeOnce: ChangeOnce,
): Route[] {
  const once = makeOnce(context, changeOnce);
  const answer = answerOnce(context, changeOnce);
  /** This gateway must apply a change of a key before it answers. */
  const thenRefresh = async <T>(change: Promise<T>): Promise<T> => {
    const changed = await change;
    await authenticator.refresh();
    return changed;
  };
  return [
    admin('POST', '/accounts', {
      scope: 'gateway',
      handle: (request) => once(request, (joined, body) => createAccount(joined, request.by, body)),
    }),
    admin('GET', '/accounts', {
      scope: 'gateway',
      handle: ({ query }) => ok(readAccounts(context, validate(AccountQuery, query))),
    }),
    admin('GET', '/accounts/:id', {
      scope: 'account_in_path',
      handle: ({ account_id }) => ok(readAccount(context, account_id)),
    }),
    admin('PATCH', '/accounts/:id', {
      scope: 'policy_in_path',
      handle: async ({ account_id, body, by }) =>
        ok(thenRefresh(changeAccount(context, by, account_id, await body()))),
    }),
    move(context, answer, 'topups'),
    move(context, answer, 'adjustments'),
    move(context, answer, 'refunds'),
    ...keyRoutes(context, authenticator, { once, thenRefresh }),
    admin('POST', '/accounts/:id/budgets', {
      scope: 'account_in_path',
      handle: async (request) => {
        const body = await request.body();
        const make = (joined: AccountsContext) =>
          setBudget(joined, request.by, request.account_id, body);
        return thenRefresh(answer(request, { body, status: 200 }, make));
      },
    }),
    admin('GET', '/accounts/:id/budgets', {
      scope: 'account_in_path',
      handle: ({ account_id }) => ok(readBudgets(context, account_id)),
    }),
    report('/transfers', (query) => readTransfers(context, query)),
    admin('GET', '/usage', {
      scope: 'account_in_query',
      handle: async ({ query, account_id, accepts }) => {
        const given = account_id === undefined ? query : { ...query, account_id };
        const wanted = validate(UsageQuery, given);
        const usage = await readUsage(context, wanted);
        const isCsv = wanted.format === 'csv' || (!wanted.format && accepts('text/csv'));
        return isCsv ? usageCsv(context, usage) : Response.json(usage);
      },
    }),
  ];
}

interface KeyChanges {
  once: Once;
  thenRefresh: <T>(change: Promise<T>) => Promise<T>;
}

function keyRoutes(
  context: AccountsContext,
  authenticator: Authenticator,
  { once, thenRefresh }: KeyChanges,
): Route[] {
  return [
    admin('POST', '/accounts/:id/keys', {
      scope: 'account_in_path',
      handle: (request) =>
        once(request, (joined, body) => {
          if (!request.is_operator) refusePolicy(body);
          return createKey(joined, request.by, request.account_id, body);
        }),
    }),
    admin('GET', '/accounts/:id/keys', {
      scope: 'account_in_path',
      handle: async ({ account_id }) => {
        await authenticator.noteUses();
        return ok(readKeys(context, account_id));
      },
    }),
    admin('PATCH', '/keys/:id', {
      scope: 'key_in_path',
      handle: async ({ key_id, body, by, is_operator }) => {
        const change = await body();
        if (!is_operator) refusePolicy(change);
        return ok(thenRefresh(changeKey(context, by, key_id, change)));
      },
    }),
    admin('DELETE', '/keys/:id', {
      scope: 'key_in_path',
      handle: ({ key_id, by }) => ok(thenRefresh(revokeApiKey(context, by, key_id))),
    }),
    ...rotationRoutes(context, once, thenRefresh),
  ];
}

type Once = ReturnType<typeof makeOnce<AccountsContext>>;

function rotationRoutes(
  context: AccountsContext,
  once: Once,
  thenRefresh: <T>(change: Promise<T>) => Promise<T>,
): Route[] {
  return [
    admin('POST', '/keys/:id/rotate', {
      scope: 'key_in_path',
      handle: (request) =>
        thenRefresh(
          once(request, (joined, body) => rotateKey(joined, request.by, request.key_id, body)),
        ),
    }),
    admin('DELETE', '/keys/:id/previous', {
      scope: 'key_in_path',
      handle: ({ key_id, by }) => ok(thenRefresh(endOverlap(context, by, key_id))),
    }),
  ];
}

/**
 * Members may limit the providers of their keys. Only operators may change the rest of a policy.
 */
function refusePolicy({ providers: _providers, ...change }: KeyChange): void {
  const fields = Object.keys(PolicyChange.shape).filter((name) => name in change);
  if (fields.length === 0) return;
  throw new GatewayError(
    'unauthorized',
    `Only an operator may set ${fields.join(', ')}. Ask an operator of this gateway.`,
    {
      issues: fields.map((path) => ({ path, code: 'operator_only', message: 'Is for operators.' })),
    },
    { status: 403 },
  );
}

type Operations = typeof operations;
type PathOf<
  Method extends string,
  Key = keyof Operations,
> = Key extends `${Method} /admin/v1${infer Path}` ? Path : never;

type BodyOf<Operation> = Operation extends { body: readonly [infer Schema, unknown] }
  ? z.output<Schema>
  : undefined;

/**
 * A route must be in the contract's table of operations, and have the body that the table states.
 */
export function admin<Method extends Route['method'], Path extends PathOf<Method>>(
  method: Method,
  path: Path,
  options: AdminOptions<BodyOf<Operations[`${Method} /admin/v1${Path}` & keyof Operations]>>,
): Route {
  const { body, unlimited }: Operation =
    operations[`${method} /admin/v1${path}` as keyof Operations];
  const report = method === 'GET' && !unlimited;
  const place = { method, path: `/admin/v1${path}`, operator: true, report } as const;
  return { ...options, ...place, ...(body ? { body: body[0] } : {}) };
}

type Reports = {
  [Path in PathOf<'GET'>]: Operations[`GET /admin/v1${Path}`] extends { query: infer Query }
    ? z.output<Query>
    : never;
};

/** A report about one account, or about all accounts for operators. */
export function report<Path extends PathOf<'GET'>>(
  path: Path,
  read: (query: Reports[Path]) => Promise<object>,
): Route {
  const { query: schema } = operations[`GET /admin/v1${path}`] as { query: z.ZodType };
  return admin('GET', path, {
    scope: 'account_in_query',
    handle: ({ query, account_id }) => {
      const given = account_id === undefined ? query : { ...query, account_id };
      return ok(read(validate(schema, given) as Reports[Path]));
    },
  });
}

function move(
  context: AccountsContext,
  answer: ReturnType<typeof answerOnce<AccountsContext>>,
  kind: Parameters<typeof moveMoney>[1],
): Route {
  return admin('POST', `/accounts/:id/${kind}`, {
    scope: 'money_in_path',
    handle: async (request) => {
      const { account_id, idempotency_key, by } = request;
      const body = await request.body();
      const how = { body, status: 201, repeatable: true } as const;
      const movement = { account_id, key: idempotency_key(), by };
      return answer(request, how, () => moveMoney(context, kind, movement, body));
    },
  });
}

export async function ok(read: Promise<object>): Promise<Response> {
  return Response.json(await read);
}

type Changing = Parameters<ChangeOnce>[0];

/** Creates something. A repeated request with the same Idempotency-Key creates nothing more. */
export function makeOnce<C extends Changing>(context: C, changeOnce: ChangeOnce) {
  const answer = answerOnce(context, changeOnce);
  return async <T>(
    request: AdminRequest<T>,
    make: (joined: C, body: T) => Promise<object>,
  ): Promise<Response> => {
    const body = await request.body();
    return answer(request, { body, status: 201 }, (joined) => make(joined, body));
  };
}

/** The same for a body that is already read, with the status of the route. */
export function answerOnce<C extends Changing>(context: C, changeOnce: ChangeOnce) {
  return async (
    request: Pick<AdminRequest<unknown>, 'change'>,
    { body, status, ...how }: { body: unknown; status: 200 | 201; repeatable?: true },
    make: (joined: C) => Promise<object>,
  ): Promise<Response> => {
    const { answer, replayed } = await changeOnce(
      context,
      { ...request.change(body), ...how },
      make,
    );
    const headers = replayed ? { 'idempotent-replayed': 'true' } : {};
    return Response.json(answer, { status, headers });
  };
}
