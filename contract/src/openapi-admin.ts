// The operator's endpoints of the OpenAPI document, as a table.
import * as examples from './admin-examples.ts';
import { PageQuery, TransferQuery } from './admin.ts';
import { cachePaths } from './openapi-cache.ts';
import { readAuditOperation } from './openapi-audit.ts';
import { noPolicy } from './policy.ts';
import { JobQuery } from './job-list.ts';
import { UsageQuery } from './usage.ts';
import { accountParameter, moneyPaths } from './openapi-money.ts';
import { overviewPaths } from './openapi-overview.ts';
import { requestLogPaths } from './openapi-request-log.ts';
import { queryParameters, adminOperation, busy } from './openapi-admin-operation.ts';
import type { AdminEndpoint } from './openapi-admin-operation.ts';
import { creationKeyParameter, keyParameter, rotationPaths } from './openapi-rotation.ts';

export function adminPaths(): Record<string, object> {
  return {
    '/admin/v1/accounts': {
      post: adminOperation(createAccount),
      get: adminOperation(listAccounts),
    },
    '/admin/v1/accounts/{id}': {
      get: adminOperation(readAccount),
      patch: adminOperation(changeAccount),
    },
    ...moneyPaths(),
    '/admin/v1/accounts/{id}/keys': {
      post: adminOperation(createKey),
      get: adminOperation(listKeys),
    },
    '/admin/v1/accounts/{id}/budgets': {
      post: adminOperation(setBudget),
      get: adminOperation(listBudgets),
    },
    '/admin/v1/keys/{id}': { patch: adminOperation(changeKey), delete: adminOperation(revokeKey) },
    ...rotationPaths(),
    ...requestLogPaths(),
    '/admin/v1/transfers': { get: adminOperation(listTransfers) },
    '/admin/v1/usage': { get: adminOperation(readUsage) },
    '/admin/v1/jobs': { get: adminOperation(listJobs) },
    ...overviewPaths(),
    ...cachePaths(),
    '/admin/v1/audit': { get: readAuditOperation() },
    '/admin/v1/books': { get: adminOperation(readMemoryAudit) },
  };
}

const createAccount: AdminEndpoint = {
  id: 'createAccount',
  summary: 'Create an account',
  description: 'Creates an account with an empty balance, and its policy if one is given.',
  request: { schema: 'AccountRequest', example: { name: examples.account.name } },
  response: 'Account',
  example: { ...examples.account, ...noPolicy, balance_usd: 0, held_usd: 0 },
  status: 201,
  failures: [400, 409, 413],
  parameters: [creationKeyParameter],
};

const listAccounts: AdminEndpoint = {
  id: 'listAccounts',
  summary: 'List accounts, the newest first',
  description: 'Returns one page of the accounts.',
  response: 'AccountList',
  example: { accounts: [examples.account], next_cursor: null },
  failures: [400, ...busy],
  parameters: queryParameters(PageQuery),
};

const readAccount: AdminEndpoint = {
  id: 'readAccount',
  summary: 'Read an account',
  description: 'Returns an account with its balance.',
  response: 'Account',
  example: examples.account,
  failures: [404, ...busy],
  parameters: [accountParameter],
};

const changeAccount: AdminEndpoint = {
  id: 'changeAccount',
  summary: 'Rename an account, or change its policy; null removes a limit',
  description:
    'Changes the name or the policy of an account. This gateway applies it at once, and others ' +
    'within half a second.',
  request: {
    schema: 'AccountChange',
    example: { blocked_domains: ['casino.example'], requests_per_minute: 600 },
  },
  response: 'Account',
  example: examples.account,
  failures: [400, 404, 413],
  parameters: [accountParameter],
};

const createKey: AdminEndpoint = {
  id: 'createKey',
  summary: 'Create an API key; it is shown only once',
  description:
    'Creates an API key of an account, with optional caps, expiry and policy. Members may set ' +
    'the name, the caps, the expiry and the providers.',
  request: { schema: 'KeyRequest', example: { name: 'Agent', daily_cap_usd: 1 } },
  response: 'NewKey',
  example: { ...examples.key, key: examples.apiKey },
  status: 201,
  failures: [400, 404, 409, 413],
  parameters: [accountParameter, creationKeyParameter],
};

const listKeys: AdminEndpoint = {
  id: 'listKeys',
  summary: 'List the keys of an account',
  description: 'Returns the keys of an account, without their secrets.',
  response: 'KeyList',
  example: { keys: [examples.key] },
  failures: [404, ...busy],
  parameters: [accountParameter],
};

const setBudget: AdminEndpoint = {
  id: 'setBudget',
  summary: 'Set the budget of a tag value',
  description:
    'Caps what the requests of the account with this tag value may spend in a UTC day or month. ' +
    'It replaces the budget that the tag value has; without any cap it removes it.',
  request: {
    schema: 'BudgetRequest',
    example: { tag: 'team', value: 'search', monthly_cap_usd: 50 },
  },
  response: 'Budget',
  example: examples.budget,
  failures: [400, 404, 409, 413],
  parameters: [accountParameter, creationKeyParameter],
};

const listBudgets: AdminEndpoint = {
  id: 'listBudgets',
  summary: 'List the budgets of an account',
  description: 'Returns every budget, and what counts towards it today and this month.',
  response: 'BudgetList',
  example: { budgets: [examples.budget] },
  failures: [404, ...busy],
  parameters: [accountParameter],
};

const changeKey: AdminEndpoint = {
  id: 'changeKey',
  summary: 'Rename or limit a key; null removes a limit',
  description:
    'Changes the name, the limits or the policy of a key. Members may change the name, the caps, ' +
    'the expiry and the providers.',
  request: { schema: 'KeyChange', example: { monthly_cap_usd: 20, daily_cap_usd: null } },
  response: 'Key',
  example: { ...examples.key, monthly_cap_usd: 20, daily_cap_usd: null },
  failures: [400, 404, 413],
  parameters: [keyParameter],
};

const revokeKey: AdminEndpoint = {
  id: 'revokeKey',
  summary: 'Revoke a key',
  description: 'Makes a key invalid at once and for good.',
  response: 'Key',
  example: { ...examples.key, revoked_at: '2026-11-15T14:00:00.000Z' },
  failures: [404],
  parameters: [keyParameter],
};

const listTransfers: AdminEndpoint = {
  id: 'listTransfers',
  summary: 'List ledger lines, the newest first',
  description: 'Returns one page of the ledger, filtered.',
  response: 'TransferList',
  example: { transfers: [examples.transfer], next_cursor: null, searched_until: null },
  failures: [400, ...busy],
  parameters: queryParameters(TransferQuery),
};

const listJobs: AdminEndpoint = {
  id: 'listJobs',
  summary: 'List transcription jobs, the newest first',
  description: 'Returns one page of the transcription jobs, filtered.',
  response: 'JobList',
  example: { jobs: [examples.job], next_cursor: null, searched_until: null },
  failures: [400, ...busy],
  parameters: queryParameters(JobQuery),
};

const readMemoryAudit: AdminEndpoint = {
  id: 'readMemoryAudit',
  summary: 'Compare the balances this gateway keeps in memory with its store',
  description: 'Checks that the balances and holds in memory equal those of the database.',
  response: 'MemoryAudit',
  example: { engine: 'sqlite', accounts: 12, reserved_usd: 0.021, violations: [] },
  failures: busy,
};

const readUsage: AdminEndpoint = {
  id: 'readUsage',
  summary: 'Sum usage by day, provider, key, tool, account or tag',
  description: 'Returns requests, failures and cost, added up by group.',
  response: 'UsageReport',
  example: { by: 'day', usage: [examples.usage] },
  failures: [400, ...busy],
  parameters: queryParameters(UsageQuery),
};
