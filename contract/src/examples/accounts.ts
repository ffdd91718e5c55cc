// Examples of accounts, keys, budgets and transfers.
import { noPolicy } from '../index.ts';
import type { Account, Budget, Key, SavedView, TransferLine, ViewRequest } from '../index.ts';

export const apiKey = 'sk_live_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';

export const account: Account = {
  id: 'acct_019a84c25b7e7c319d426f0e8a1b2c3d',
  name: 'Research team',
  created_at: '2026-11-15T12:00:00.000Z',
  balance_usd: 24.993,
  held_usd: 0.007,
  exposed_usd: 0,
  ...noPolicy,
  blocked_domains: ['casino.example'],
  requests_per_minute: 600,
  low_balance_usd: 1,
};

export const key: Key = {
  id: 'key_019a84c25b7e7c319d426f0e8a1b2c3e',
  account_id: account.id,
  name: 'Agent',
  display: apiKey.slice(0, 12),
  created_at: '2026-11-15T12:01:00.000Z',
  revoked_at: null,
  last_used_at: '2026-11-15T12:03:00.000Z',
  previous_until: null,
  used_today_usd: 0.014,
  used_this_month_usd: 3.25,
  expires_at: null,
  daily_cap_usd: 1,
  monthly_cap_usd: null,
  ...noPolicy,
  providers: ['engine_a', 'engine_d'],
  own_use_only: false,
};

export const budget: Budget = {
  tag: 'team',
  value: 'search',
  daily_cap_usd: null,
  monthly_cap_usd: 50,
  today_usd: 1.204,
  this_month_usd: 12.407,
  created_at: '2026-11-01T09:00:00.000Z',
};

export const viewRequest: ViewRequest = {
  name: 'Failed searches',
  page: '/requests',
  query: 'tool=search&outcome=failed&range=7d',
};

export const view: SavedView = {
  id: 'view_019a84c25b7e7c319d426f0e8a1b2c48',
  account_id: account.id,
  ...viewRequest,
  created_at: '2026-11-15T12:05:00.000Z',
  updated_at: '2026-11-15T12:05:00.000Z',
};

export const transfer: TransferLine = {
  id: 'top_019a84c25b7e7c319d426f0e8a1b2c3f',
  kind: 'topup',
  account_id: account.id,
  amount_usd: 25,
  request_id: null,
  key_id: null,
  reason: 'invoice 2026-104',
  tool: null,
  provider: null,
  asked: null,
  simulated: false,
  balance_after_usd: 25,
  created_at: '2026-11-15T12:02:00.000Z',
};
