// Authorization of the admin API: which account a request concerns, and whether the person may
// access it. It is decided once, here, from the scope that the route declares.
import { AccountId, GatewayError, IdempotencyKey } from '@trivium/contract';
import type { Person } from '@trivium/contract';
import { readBody, validate } from './body.ts';
import { noDelivery } from '../../events/deliveries.ts';
import { noWebhook } from '../../events/endpoints.ts';
import type { AdminRequest, AdminRoute, Incoming, Owners } from '../route.ts';

/** `person` is undefined when the request carries the operator token. */
export async function serveAdmin(
  route: AdminRoute,
  { request, params, query }: Incoming,
  person: Person | undefined,
  owners: Owners,
): Promise<Response> {
  const id = params['id'] ?? '';
  const admin: AdminRequest = {
    body: (schema) => readBody(request, schema),
    idempotency_key: () => {
      const key = request.headers.get('idempotency-key');
      return key === null ? undefined : validate(IdempotencyKey, key);
    },
  };
  switch (route.scope) {
    case 'gateway':
      checkAccess(person, undefined);
      return route.handle({ ...admin, query, id });
    case 'account_in_path':
      checkAccess(person, id);
      return route.handle({ ...admin, account_id: id });
    case 'money_in_path':
      checkAccess(person, undefined);
      return route.handle({ ...admin, account_id: id });
    case 'account_in_query': {
      const { account_id: requested, ...others } = query;
      checkAccess(person, requested);
      const accountId = requested === undefined ? undefined : validate(AccountId, requested);
      return route.handle({ ...admin, account_id: accountId, query: others });
    }
    case 'key_in_path':
      if (!isOperator(person)) checkAccess(person, await owners.key(id));
      return route.handle({ ...admin, key_id: id });
    case 'webhook_in_path':
      if (!isOperator(person) && !owns(person, await owners.webhook(id))) throw noWebhook(id);
      return route.handle({ ...admin, webhook_id: id });
    case 'delivery_in_path':
      if (!isOperator(person) && !owns(person, await owners.delivery(id))) throw noDelivery(id);
      return route.handle({ ...admin, delivery_id: id });
  }
}

/** Members may access their own account; `accountId` is undefined for gateway-wide routes. */
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

export function forbidden(): GatewayError {
  return new GatewayError(
    'unauthorized',
    'This is for operators, or belongs to another account. Ask an operator of this gateway.',
    undefined,
    { status: 403 },
  );
}
