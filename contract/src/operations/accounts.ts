// Accounts, their money, API keys and budgets.
import * as examples from '../examples/accounts.ts';
import { request } from '../examples/reports.ts';
import * as schemas from '../index.ts';
import type { Operations } from './operation.ts';

export const accounts = {
  'POST /admin/v1/accounts': {
    id: 'createAccount',
    resource: 'accounts',
    verb: 'create',
    summary: 'Create an account',
    description: 'Creates an account with an empty balance, and its policy if one is given.',
    keyed: 'change',
    body: [schemas.AccountRequest, { usual: { name: examples.account.name } }],
    status: 201,
    answer: [
      schemas.Account,
      { usual: { ...examples.account, ...schemas.noPolicy, balance_usd: 0, held_usd: 0 } },
    ],
  },
  'GET /admin/v1/accounts': {
    id: 'listAccounts',
    resource: 'accounts',
    verb: 'list',
    summary: 'List accounts, newest first',
    description: 'Returns one page of the accounts, or of those whose name or id contains a text.',
    query: schemas.AccountQuery,
    answer: [schemas.AccountList, { usual: { accounts: [examples.account], next_cursor: null } }],
  },
  'GET /admin/v1/accounts/:id': {
    id: 'readAccount',
    resource: 'accounts',
    verb: 'get',
    summary: 'Read an account',
    description: 'Returns an account with its balance.',
    answer: [schemas.Account, { usual: examples.account }],
  },
  'PATCH /admin/v1/accounts/:id': {
    id: 'changeAccount',
    resource: 'accounts',
    verb: 'update',
    summary: 'Rename an account, or change its policy; null removes a limit',
    description:
      'Changes the name or the policy of an account. This gateway applies it immediately, ' +
      'others within half a second.',
    body: [
      schemas.AccountChange,
      { usual: { blocked_domains: ['casino.example'], requests_per_minute: 600 } },
    ],
    answer: [schemas.Account, { usual: examples.account }],
  },
  'POST /admin/v1/accounts/:id/topups': {
    id: 'topUp',
    resource: 'accounts',
    verb: 'topUp',
    summary: 'Add money to an account',
    description:
      'Adds money to the balance. Send an Idempotency-Key, so that a retry does not add it ' +
      'twice.',
    keyed: 'money',
    body: [schemas.TopupRequest, { usual: { amount_usd: 25, reason: 'invoice 2026-104' } }],
    status: 201,
    answer: [schemas.TransferLine, { usual: examples.transfer }],
  },
  'POST /admin/v1/accounts/:id/adjustments': {
    id: 'adjustBalance',
    resource: 'accounts',
    verb: 'adjust',
    summary: 'Correct the balance of an account',
    description: 'Changes the balance by a positive or negative amount, to correct a mistake.',
    keyed: 'money',
    body: [schemas.AdjustmentRequest, { usual: { amount_usd: -2.5, reason: 'typed twice' } }],
    status: 201,
    answer: [
      schemas.TransferLine,
      { usual: { ...examples.transfer, kind: 'adjust', amount_usd: -2.5, reason: 'typed twice' } },
    ],
  },
  'POST /admin/v1/accounts/:id/refunds': {
    id: 'refundCost',
    resource: 'accounts',
    verb: 'refund',
    summary: 'Refund the cost of a request',
    description: 'Returns all or part of the cost of a request to the balance.',
    keyed: 'money',
    body: [
      schemas.RefundRequest,
      {
        usual: {
          request_id: request.id,
          amount_usd: 0.007,
          reason: 'answer was unusable',
        },
      },
    ],
    status: 201,
    answer: [
      schemas.TransferLine,
      { usual: { ...examples.transfer, kind: 'refund', amount_usd: 0.007 } },
    ],
  },
  'POST /admin/v1/accounts/:id/keys': {
    id: 'createKey',
    resource: 'keys',
    verb: 'create',
    summary: 'Create an API key; it is shown only once',
    description:
      'Creates an API key for an account, with optional caps, expiry and policy. Members ' +
      'may set the name, the caps, the expiry and the providers.',
    keyed: 'change',
    body: [schemas.KeyRequest, { usual: { name: 'Agent', daily_cap_usd: 1 } }],
    status: 201,
    answer: [schemas.NewKey, { usual: { ...examples.key, key: examples.apiKey } }],
  },
  'GET /admin/v1/accounts/:id/keys': {
    id: 'listKeys',
    resource: 'keys',
    verb: 'list',
    summary: 'List the keys of an account',
    description: 'Returns the keys of an account, without their secrets.',
    answer: [schemas.KeyList, { usual: { keys: [examples.key] } }],
  },
  'POST /admin/v1/accounts/:id/budgets': {
    id: 'setBudget',
    resource: 'budgets',
    verb: 'set',
    summary: 'Set the budget of a tag value',
    description:
      "Caps what the account's requests with this tag value may spend in a UTC day or " +
      'month. It replaces an existing budget of the tag value; without a cap, it removes ' +
      'it.',
    keyed: 'change',
    body: [schemas.BudgetRequest, { usual: { tag: 'team', value: 'search', monthly_cap_usd: 50 } }],
    answer: [schemas.Budget, { usual: examples.budget }],
  },
  'GET /admin/v1/accounts/:id/budgets': {
    id: 'listBudgets',
    resource: 'budgets',
    verb: 'list',
    summary: 'List the budgets of an account',
    description:
      'Returns every budget, and the spending that counts towards it today and this month.',
    answer: [schemas.BudgetList, { usual: { budgets: [examples.budget] } }],
  },
  'POST /admin/v1/accounts/:id/views': {
    id: 'saveView',
    resource: 'views',
    verb: 'create',
    summary: 'Save a view of a list in the dashboard',
    description:
      'Names the filters, the columns and the order of a list, for everyone who can see the ' +
      'account. An account can have 100 views, whose names differ on each page.',
    keyed: 'change',
    body: [schemas.ViewRequest, { usual: examples.viewRequest }],
    status: 201,
    answer: [schemas.SavedView, { usual: examples.view }],
  },
  'GET /admin/v1/accounts/:id/views': {
    id: 'listViews',
    resource: 'views',
    verb: 'list',
    summary: 'List the saved views of an account',
    description: 'Returns the views of every page, ordered by name.',
    answer: [schemas.ViewList, { usual: { views: [examples.view] } }],
  },
  'PATCH /admin/v1/views/:id': {
    id: 'changeView',
    resource: 'views',
    verb: 'update',
    summary: 'Rename or overwrite a saved view',
    description: 'Changes the name of a view, or what it shows.',
    body: [schemas.ViewChange, { usual: { name: 'Failed at night' } }],
    answer: [schemas.SavedView, { usual: { ...examples.view, name: 'Failed at night' } }],
    refuses: [409],
  },
  'DELETE /admin/v1/views/:id': {
    id: 'removeView',
    resource: 'views',
    verb: 'delete',
    summary: 'Delete a saved view',
    description: 'Removes a view. What it shows is not changed.',
    answer: [schemas.Removed, { usual: { id: examples.view.id } }],
  },
  'PATCH /admin/v1/keys/:id': {
    id: 'changeKey',
    resource: 'keys',
    verb: 'update',
    summary: 'Rename or limit a key; null removes a limit',
    description:
      'Changes the name, the limits or the policy of a key. Members may change the name, the ' +
      'caps, the expiry and the providers.',
    body: [schemas.KeyChange, { usual: { monthly_cap_usd: 20, daily_cap_usd: null } }],
    answer: [schemas.Key, { usual: { ...examples.key, monthly_cap_usd: 20, daily_cap_usd: null } }],
  },
  'DELETE /admin/v1/keys/:id': {
    id: 'revokeKey',
    resource: 'keys',
    verb: 'revoke',
    summary: 'Revoke a key',
    description: 'Makes a key permanently invalid, with immediate effect.',
    answer: [schemas.Key, { usual: { ...examples.key, revoked_at: '2026-11-15T14:00:00.000Z' } }],
  },
  'POST /admin/v1/keys/:id/rotate': {
    id: 'rotateKey',
    resource: 'keys',
    verb: 'rotate',
    summary: 'Give a key a new secret; the old one keeps working for a while',
    description:
      'The key keeps its id, its limits and its spending. Only one old secret works ' +
      'besides the new one: rotating again ends it. To rotate TRIVIUM_BOOTSTRAP_KEY, ' +
      'change the setting.',
    keyed: 'change',
    body: [schemas.KeyRotation, { usual: { overlap_hours: 24 } }],
    status: 201,
    answer: [
      schemas.NewKey,
      {
        usual: {
          ...examples.key,
          previous_until: '2026-11-16T12:01:00.000Z',
          key: examples.apiKey,
        },
      },
    ],
  },
  'DELETE /admin/v1/keys/:id/previous': {
    id: 'endOverlap',
    resource: 'keys',
    verb: 'endOverlap',
    summary: 'End the old secret of a rotated key immediately',
    description: 'From now on only the newest secret of the key works.',
    answer: [schemas.Key, { usual: examples.key }],
  },
} as const satisfies Operations;
