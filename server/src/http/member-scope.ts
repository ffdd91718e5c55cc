// What a member of an account may ask of the operator's API: what concerns that account, no more.
import { GatewayError } from '@trivium/contract';
import type { Person } from '@trivium/contract';
import type { Incoming } from './app.ts';

export type AccountOfKey = (key_id: string) => Promise<string | undefined>;

/** Where a request names the account it concerns. Everything not listed is for operators. */
const named_by: Readonly<Record<string, 'path' | 'query' | 'key'>> = {
  'GET /admin/v1/accounts/:id': 'path',
  'GET /admin/v1/accounts/:id/keys': 'path',
  'POST /admin/v1/accounts/:id/keys': 'path',
  'PATCH /admin/v1/keys/:id': 'key',
  'DELETE /admin/v1/keys/:id': 'key',
  'GET /admin/v1/requests': 'query',
  'GET /admin/v1/transfers': 'query',
  'GET /admin/v1/usage': 'query',
  'GET /admin/v1/overview': 'query',
  'GET /admin/v1/jobs': 'query',
};

export async function checkScope(
  person: Person,
  route: { method: string; path: string },
  { request, params }: Incoming,
  accountOfKey: AccountOfKey,
): Promise<void> {
  if (person.role === 'operator') return;
  const id = params['id'] ?? '';
  const query = new URL(request.url).searchParams.get('account_id') ?? undefined;
  const account_id = await {
    path: () => Promise.resolve(id),
    query: () => Promise.resolve(query),
    key: () => accountOfKey(id),
    nowhere: () => Promise.resolve(undefined),
  }[named_by[`${route.method} ${route.path}`] ?? 'nowhere']();
  if (account_id !== undefined && account_id === person.account_id) return;
  throw new GatewayError(
    'unauthorized',
    'This is for operators, or belongs to another account. Ask an operator of this gateway.',
    undefined,
    { status: 403 },
  );
}
