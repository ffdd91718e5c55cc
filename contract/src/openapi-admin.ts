// The operator's endpoints of the OpenAPI document as a table, in the manner of the others.
import * as examples from './admin-examples.ts';
import { AccountId, KeyId, PageQuery, RequestQuery, TransferQuery, UsageQuery } from './admin.ts';
import { IdempotencyKey } from './common.ts';
import { JobQuery } from './job-list.ts';
import { OverviewQuery } from './overview.ts';
import { idParameter, queryParameters, write } from './openapi-admin-operation.ts';
import type { Admin } from './openapi-admin-operation.ts';
import { inline } from './openapi-operation.ts';

export function adminPaths(): Record<string, object> {
  return {
    '/admin/v1/accounts': { post: write(createAccount), get: write(listAccounts) },
    '/admin/v1/accounts/{id}': { get: write(readAccount) },
    '/admin/v1/accounts/{id}/topups': { post: write(topUp) },
    '/admin/v1/accounts/{id}/adjustments': { post: write(adjust) },
    '/admin/v1/accounts/{id}/refunds': { post: write(refund) },
    '/admin/v1/accounts/{id}/keys': { post: write(createKey), get: write(listKeys) },
    '/admin/v1/keys/{id}': { patch: write(changeKey), delete: write(revokeKey) },
    '/admin/v1/requests': { get: write(listRequests) },
    '/admin/v1/transfers': { get: write(listTransfers) },
    '/admin/v1/usage': { get: write(readUsage) },
    '/admin/v1/jobs': { get: write(listJobs) },
    '/admin/v1/overview': { get: write(readOverview) },
    '/admin/v1/audit': { get: write(readMemoryAudit) },
  };
}

const account_parameter = idParameter(AccountId, examples.account.id);
const key_parameter = idParameter(KeyId, examples.key.id);

const once_parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key with the same amount moves money once.',
  schema: inline(IdempotencyKey),
};

const createAccount: Admin = {
  id: 'createAccount',
  summary: 'Make an account',
  takes: { schema: 'AccountRequest', shown: { name: examples.account.name } },
  answer: 'Account',
  shown: { ...examples.account, balance_usd: 0, held_usd: 0 },
  status: 201,
  failures: [400, 413],
};

const listAccounts: Admin = {
  id: 'listAccounts',
  summary: 'List accounts, the newest first',
  answer: 'AccountList',
  shown: { accounts: [examples.account], next_cursor: null },
  failures: [400],
  parameters: queryParameters(PageQuery),
};

const readAccount: Admin = {
  id: 'readAccount',
  summary: 'Read an account',
  answer: 'Account',
  shown: examples.account,
  failures: [404],
  parameters: [account_parameter],
};

const movement = {
  answer: 'TransferLine',
  status: 201,
  failures: [400, 404, 409, 413, 503],
  parameters: [account_parameter, once_parameter],
} as const;

const topUp: Admin = {
  ...movement,
  parameters: [...movement.parameters],
  id: 'topUp',
  summary: 'Add money to an account',
  takes: { schema: 'TopupRequest', shown: { amount_usd: 25, reason: 'invoice 2026-104' } },
  shown: examples.transfer,
};

const adjust: Admin = {
  ...movement,
  parameters: [...movement.parameters],
  id: 'adjust',
  summary: 'Correct the balance of an account',
  takes: { schema: 'AdjustmentRequest', shown: { amount_usd: -2.5, reason: 'typed twice' } },
  shown: { ...examples.transfer, kind: 'adjust', amount_usd: -2.5, reason: 'typed twice' },
};

const refund: Admin = {
  ...movement,
  parameters: [...movement.parameters],
  id: 'refund',
  summary: 'Give back what a request cost',
  takes: {
    schema: 'RefundRequest',
    shown: { request_id: examples.request.id, amount_usd: 0.007, reason: 'no use to the caller' },
  },
  shown: { ...examples.transfer, kind: 'refund', amount_usd: 0.007 },
};

const createKey: Admin = {
  id: 'createKey',
  summary: 'Make an API key, shown this once',
  takes: { schema: 'KeyRequest', shown: { name: 'Agent', daily_cap_usd: 1 } },
  answer: 'NewKey',
  shown: { ...examples.key, key: examples.api_key },
  status: 201,
  failures: [400, 404, 413],
  parameters: [account_parameter],
};

const listKeys: Admin = {
  id: 'listKeys',
  summary: 'List the keys of an account',
  answer: 'KeyList',
  shown: { keys: [examples.key] },
  failures: [404],
  parameters: [account_parameter],
};

const changeKey: Admin = {
  id: 'changeKey',
  summary: 'Rename or limit a key; null takes a limit away',
  takes: { schema: 'KeyChange', shown: { monthly_cap_usd: 20, daily_cap_usd: null } },
  answer: 'Key',
  shown: { ...examples.key, monthly_cap_usd: 20, daily_cap_usd: null },
  failures: [400, 404, 413],
  parameters: [key_parameter],
};

const revokeKey: Admin = {
  id: 'revokeKey',
  summary: 'Revoke a key',
  answer: 'Key',
  shown: { ...examples.key, revoked_at: '2026-11-15T14:00:00.000Z' },
  failures: [404],
  parameters: [key_parameter],
};

const listRequests: Admin = {
  id: 'listRequests',
  summary: 'List requests, the newest first',
  answer: 'RequestList',
  shown: { requests: [examples.request], next_cursor: null },
  failures: [400],
  parameters: queryParameters(RequestQuery),
};

const listTransfers: Admin = {
  id: 'listTransfers',
  summary: 'List ledger lines, the newest first',
  answer: 'TransferList',
  shown: { transfers: [examples.transfer], next_cursor: null },
  failures: [400],
  parameters: queryParameters(TransferQuery),
};

const listJobs: Admin = {
  id: 'listJobs',
  summary: 'List transcription jobs, the newest first',
  answer: 'JobList',
  shown: { jobs: [examples.job], next_cursor: null },
  failures: [400],
  parameters: queryParameters(JobQuery),
};

const readOverview: Admin = {
  id: 'readOverview',
  summary: 'Money, requests, failures and speed of an account over a span of time',
  answer: 'Overview',
  shown: examples.overview,
  failures: [400],
  parameters: queryParameters(OverviewQuery),
};

const readMemoryAudit: Admin = {
  id: 'readMemoryAudit',
  summary: 'Compare what this gateway holds in memory with its store',
  answer: 'MemoryAudit',
  shown: { engine: 'sqlite', accounts: 12, reserved_usd: 0.021, violations: [] },
  failures: [],
};

const readUsage: Admin = {
  id: 'readUsage',
  summary: 'Add up usage by day, provider, key, tool or account',
  answer: 'UsageReport',
  shown: { by: 'day', usage: [examples.usage] },
  failures: [400],
  parameters: queryParameters(UsageQuery),
};
