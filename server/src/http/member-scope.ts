// Whose data a request to the operator's API may touch. A route says where its account is named;
// the answer is found once, here, and handed to the handler, which gets no address to read again.
import { AccountId, GatewayError, IdempotencyKey } from '@trivium/contract';
import type { Person } from '@trivium/contract';
import type { z } from 'zod';
import type { Handled, Incoming } from './app.ts';
import { readBody, validate } from './body.ts';
import type { Query } from './given-once.ts';

export type AccountOfKey = (key_id: string) => Promise<string | undefined>;

/** What a handler of the operator's API sees of a request. */
export interface AdminAsked {
  body: <T>(schema: z.ZodType<T>) => Promise<T>;
  idempotency_key: () => string | undefined;
}

interface Scopes {
  /** Concerns the whole gateway: for operators alone. */
  gateway: { query: Query; id: string };
  /** `:id` is an account, and what is asked is open to its members. */
  account_in_path: { account_id: string };
  /** `:id` is an account whose money is moved: for operators alone. */
  money_in_path: { account_id: string };
  /** `account_id` of the query; undefined stands for all accounts, and only operators get it. */
  account_in_query: { account_id: string | undefined; query: Query };
  /** `:id` is a key. */
  key_in_path: { key_id: string };
}

export type AdminRoute = {
  [Name in keyof Scopes]: {
    operator: true;
    public?: false;
    scope: Name;
    handle: (asked: AdminAsked & Scopes[Name]) => Handled;
  };
}[keyof Scopes];

/** `person` is undefined for the operator's token. */
export async function serveAdmin(
  route: AdminRoute,
  { request, params, query }: Incoming,
  person: Person | undefined,
  accountOfKey: AccountOfKey,
): Promise<Response> {
  const id = params['id'] ?? '';
  const asked: AdminAsked = {
    body: (schema) => readBody(request, schema),
    idempotency_key: () => {
      const key = request.headers.get('idempotency-key');
      return key === null ? undefined : validate(IdempotencyKey, key);
    },
  };
  switch (route.scope) {
    case 'gateway':
      checkMay(person, undefined);
      return route.handle({ ...asked, query, id });
    case 'account_in_path':
      checkMay(person, id);
      return route.handle({ ...asked, account_id: id });
    case 'money_in_path':
      checkMay(person, undefined);
      return route.handle({ ...asked, account_id: id });
    case 'account_in_query': {
      const { account_id: named, ...others } = query;
      checkMay(person, named);
      const account_id = named === undefined ? undefined : validate(AccountId, named);
      return route.handle({ ...asked, account_id, query: others });
    }
    case 'key_in_path':
      if (!isOperator(person)) checkMay(person, await accountOfKey(id));
      return route.handle({ ...asked, key_id: id });
  }
}

/** A member may touch the own account; `account_id` is undefined for what belongs to none. */
function checkMay(person: Person | undefined, account_id: string | undefined): void {
  if (isOperator(person)) return;
  if (account_id !== undefined && account_id === person?.account_id) return;
  throw notYours();
}

function isOperator(person: Person | undefined): boolean {
  return person === undefined || person.role === 'operator';
}

export function notYours(): GatewayError {
  return new GatewayError(
    'unauthorized',
    'This is for operators, or belongs to another account. Ask an operator of this gateway.',
    undefined,
    { status: 403 },
  );
}
