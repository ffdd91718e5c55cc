// Authorization for the admin API: which account a request concerns, and whether the person may
// access it. This is decided once, here, from the scope that the route declares.
import { AccountId, GatewayError, IdempotencyKey, type Person } from '@trivium/contract';
import { z } from 'zod';
import type { Author } from '../../audit/index.ts';
import { readBody, validate } from './body.ts';
import { noDelivery, noWebhook } from '../../events/index.ts';
import type { AdminRequest, AdminRoute, HandlerResult, Incoming, Owners, Route } from '../route.ts';

/** Includes the parameter's name, so that an error can say where the fault is. */
const AccountInQuery = z.object({ account_id: AccountId.optional() });

/** Runs a handler for a permitted request, which counts as one of this account. */
type Run = <T>(account: string, handle: (given: T) => HandlerResult, given: T) => HandlerResult;

/** `person` is undefined if the request has the operator token. */
export async function serveAdmin(
  route: AdminRoute & Pick<Route, 'method' | 'path'>,
  { request, params, query, address }: Incoming,
  person: Person | undefined,
  owners: Owners,
  run: Run,
): Promise<Response> {
  if (person && isReadOnly(person, route)) throw readOnly();
  const id = params['id'] ?? '';
  // An operator's reads of all accounts count together.
  const own = person?.account_id ?? '';
  const idempotencyKey = () => {
    const key = request.headers.get('idempotency-key');
    return key === null ? undefined : validate(IdempotencyKey, key);
  };
  const admin: AdminRequest<never> = {
    // `admin()` gives the handler the type of this schema.
    body: async (schema = route.body) =>
      (await readBody<unknown>(request, schema ?? z.never())) as never,
    idempotency_key: idempotencyKey,
    change: (body) => ({
      actor: person?.id ?? 'operator token',
      path: `${route.method} ${route.path} ${id}`,
      key: idempotencyKey(),
      body,
    }),
    is_operator: isOperator(person),
    by: authorOf(request, person, address()),
    accepts: (mediaType) => acceptedTypes(request).includes(mediaType),
  };
  switch (route.scope) {
    case 'gateway':
      checkAccess(person, undefined);
      return run(own, route.handle, { ...admin, query, id });
    case 'account_in_path':
      checkAccess(person, id);
      return run(id, route.handle, { ...admin, account_id: id });
    case 'money_in_path':
    case 'policy_in_path':
      checkAccess(person, undefined);
      return run(id, route.handle, { ...admin, account_id: id });
    case 'account_in_query': {
      const { account_id: requested, ...others } = query;
      checkAccess(person, requested);
      const { account_id: accountId } = validate(AccountInQuery, { account_id: requested });
      const change: typeof admin.change = (body) => {
        const one = admin.change(body);
        return { ...one, path: `${one.path} ${accountId ?? ''}` };
      };
      const given = { ...admin, change, account_id: accountId, query: others, id };
      return run(accountId ?? '', route.handle, given);
    }
    case 'key_in_path':
      if (!isOperator(person)) checkAccess(person, await owners.key(id));
      return run(own, route.handle, { ...admin, key_id: id });
    case 'webhook_in_path':
      if (!isOperator(person) && !owns(person, await owners.webhook(id))) throw noWebhook(id);
      return run(own, route.handle, { ...admin, webhook_id: id });
    case 'delivery_in_path':
      if (!isOperator(person) && !owns(person, await owners.delivery(id))) throw noDelivery(id);
      return run(own, route.handle, { ...admin, delivery_id: id });
    case 'person':
      if (!person) throw notAPerson();
      return run(person.id, route.handle, { ...admin, person, id, headers: request.headers });
  }
}

/** The project's own command line identifies itself. The name is a hint, not proof. */
const commandLineAgent = /^trivium-cli\//;

function authorOf(request: Request, person: Person | undefined, address: string): Author {
  const from = { address: address === '' ? null : address };
  if (person) return { kind: 'person', id: person.id, name: person.email, ...from };
  const isCommand = commandLineAgent.test(request.headers.get('user-agent') ?? '');
  const kind = isCommand ? 'command_line' : 'operator_token';
  return { kind, id: null, name: null, ...from };
}

function acceptedTypes(request: Request): string[] {
  const given = request.headers.get('accept') ?? '';
  return given.split(',').map((one) => (one.split(';')[0] ?? '').trim().toLowerCase());
}

/** Members may access their own account. `accountId` is undefined for gateway-wide routes. */
function checkAccess(person: Person | undefined, accountId: string | undefined): void {
  if (isOperator(person) || owns(person, accountId)) return;
  throw forbidden();
}

function owns(person: Person | undefined, accountId: string | null | undefined): boolean {
  return typeof accountId === 'string' && accountId === person?.account_id;
}

function isOperator(person: Person | undefined): boolean {
  return person === undefined || person.role === 'operator';
}

/**
 * A viewer can only read one account. Every person may change their own profile, whatever their
 * role.
 */
function isReadOnly(
  person: Person,
  { method, scope, reveals }: Pick<AdminRoute & Route, 'method' | 'scope' | 'reveals'>,
): boolean {
  if (person.role !== 'viewer' || scope === 'person') return false;
  return method !== 'GET' || reveals === 'secret';
}

export function readOnly(): GatewayError {
  const message = 'You can read this account but not change it. Ask an operator of this gateway.';
  return new GatewayError('unauthorized', message, undefined, { status: 403 });
}

export function forbidden(): GatewayError {
  return new GatewayError(
    'unauthorized',
    'This is for operators, or belongs to another account. Ask an operator of this gateway.',
    undefined,
    { status: 403 },
  );
}

function notAPerson(): GatewayError {
  const message = 'This is for people who are signed in to the dashboard.';
  return new GatewayError('unauthorized', message, undefined, { status: 403 });
}
