// The admin API of accounts under /admin/v1: balances, keys, budgets, transfers and usage.
import { GatewayError, type KeyChange, PolicyChange } from '@trivium/contract';
import {
  changeAccount,
  changeKey,
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
  views,
} from '../../../accounts/index.ts';
import { readTransfers } from '../../../reporting/index.ts';
import { readUsage, readUsageChange } from '../../../requests/index.ts';
import type { HttpContext } from '../../context.ts';
import { prefersCsv, usageCsv } from '../../csv.ts';
import type { Route } from '../../route.ts';
import { admin } from '../rows.ts';

export function adminRoutes(context: HttpContext): Route[] {
  const { refresh, noteUses } = context.authenticator;
  const ofGateway = { scope: 'gateway', booked: true } as const;
  const ofAccount = { scope: 'account_in_path', booked: true } as const;
  const ofMoney = { scope: 'money_in_path', booked: true } as const;
  const ofQuery = { scope: 'account_in_query', booked: true } as const;
  const ofView = { scope: 'view_in_path' } as const;
  // This gateway must apply a change of a key before it answers.
  const ofKey = { scope: 'key_in_path', booked: true, after: refresh } as const;
  return [
    admin('POST', '/accounts', ofGateway, ({ joined, by, body }) =>
      createAccount(joined(context), by, body),
    ),
    admin('GET', '/accounts', ofGateway, ({ filter }) => readAccounts(context, filter)),
    admin('GET', '/accounts/:id', ofAccount, ({ id }) => readAccount(context, id)),
    admin(
      'PATCH',
      '/accounts/:id',
      { scope: 'policy_in_path', booked: true, after: refresh },
      ({ id, by, body }) => changeAccount(context, by, id, body),
    ),
    admin('POST', '/accounts/:id/topups', ofMoney, ({ id, idempotency_key: key, by, body }) =>
      moveMoney(context, 'topups', { account_id: id, key, by }, body),
    ),
    admin('POST', '/accounts/:id/adjustments', ofMoney, ({ id, idempotency_key: key, by, body }) =>
      moveMoney(context, 'adjustments', { account_id: id, key, by }, body),
    ),
    admin('POST', '/accounts/:id/refunds', ofMoney, ({ id, idempotency_key: key, by, body }) =>
      moveMoney(context, 'refunds', { account_id: id, key, by }, body),
    ),
    admin('POST', '/accounts/:id/keys', ofAccount, ({ joined, id, by, body, is_operator }) => {
      if (!is_operator) refusePolicy(body);
      return createKey(joined(context), by, id, body);
    }),
    admin('GET', '/accounts/:id/keys', ofAccount, async ({ id }) => {
      await noteUses();
      return readKeys(context, id);
    }),
    admin('PATCH', '/keys/:id', ofKey, ({ id, by, body, is_operator }) => {
      if (!is_operator) refusePolicy(body);
      return changeKey(context, by, id, body);
    }),
    admin('DELETE', '/keys/:id', ofKey, ({ id, by }) => revokeApiKey(context, by, id)),
    admin('POST', '/keys/:id/rotate', ofKey, ({ joined, id, by, body }) =>
      rotateKey(joined(context), by, id, body),
    ),
    admin('DELETE', '/keys/:id/previous', ofKey, ({ id, by }) => endOverlap(context, by, id)),
    admin(
      'POST',
      '/accounts/:id/budgets',
      { ...ofAccount, after: refresh },
      ({ joined, id, by, body }) => setBudget(joined(context), by, id, body),
    ),
    admin('GET', '/accounts/:id/budgets', ofAccount, ({ id }) => readBudgets(context, id)),
    admin('POST', '/accounts/:id/views', ofAccount, ({ joined, id, by, body }) =>
      views.save(joined(context), by, id, body),
    ),
    admin('GET', '/accounts/:id/views', ofAccount, ({ id }) => views.list(context, id)),
    admin('PATCH', '/views/:id', ofView, ({ id, by, body }) => views.change(context, by, id, body)),
    admin('DELETE', '/views/:id', ofView, ({ id, by }) => views.remove(context, by, id)),
    admin('GET', '/transfers', ofQuery, ({ filter }) => readTransfers(context, filter)),
    admin('GET', '/usage/change', ofQuery, ({ filter }) => readUsageChange(context, filter)),
    admin('GET', '/usage', ofQuery, async ({ filter, request }) => {
      const usage = await readUsage(context, filter);
      return prefersCsv(request, filter.format) ? usageCsv(context, usage, filter) : usage;
    }),
  ];
}

/** Members may limit the providers of their keys. The rest of a policy is for operators. */
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
