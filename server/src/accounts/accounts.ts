// Accounts and their money, as an operator manages them.
import {
  type Account,
  type AccountChange,
  type AccountList,
  type AccountQuery,
  type AccountRequest,
  GatewayError,
  noPolicy,
  type TopupRequest,
  type TransferLine,
} from '@trivium/contract';
import type { z } from 'zod';
import { exactMicroUsd, type Transfer, usd } from '../billing/core/index.ts';
import { audit, type Author } from '../audit/index.ts';
import { newId, sha256Hex } from '../platform/ids.ts';
import { changePolicy } from '../policy/core/index.ts';
import {
  type AccountRow,
  findAccount,
  findNames,
  insertAccount,
  listAccounts,
  updateAccounts,
} from './store/accounts.ts';
import { changes, type Expiring, iso, type ReadableDatabase } from '../store/index.ts';
import type { AccountsContext } from './context.ts';
import type { Posted } from '../billing/index.ts';
import { dayMs } from '@trivium/contract/durations';
import { expiredAnswers } from './store/operators.ts';
import { expiredCodes, expiredRefreshTokens } from './store/oauth.ts';
import { endedInvites } from './store/people.ts';
import { deleteExpiredSessions } from './store/sign-in.ts';

export async function createAccount(
  context: AccountsContext,
  by: Author,
  { name, ...change }: AccountRequest,
): Promise<Account> {
  const id = newId('acct');
  const at = context.clock.now().getTime();
  const policy = changePolicy(undefined, change);
  await context.database.transaction(async (tx) => {
    await insertAccount(tx, { id, name, policy }, at);
    const made = { action: 'account.created', account_id: id, target: id } as const;
    await audit(tx, by, { ...made, after: { name, ...policy } }, at);
  });
  return readAccount(context, id);
}

/** Changes only the given fields. Null removes a limit. */
export async function changeAccount(
  context: AccountsContext,
  by: Author,
  id: string,
  { name: newName, low_balance_usd, ...change }: AccountChange,
): Promise<Account> {
  const at = context.clock.now().getTime();
  await context.database.transaction(async (tx) => {
    const before = await findAccount(tx, id, 'for update');
    if (!before) throw noAccount(id);
    const name = newName ?? before.name;
    const policy = changePolicy(before.policy, change);
    const lowBalance =
      low_balance_usd === undefined ? before.low_balance : exactMicroUsd(low_balance_usd);
    await updateAccounts(tx, [{ id, name, policy, low_balance: lowBalance }]);
    // The policy applies to every key of the account, so gateways must reload their keys.
    await changes.count(tx, 'keys');
    const changed = { action: 'account.changed', account_id: id, target: id } as const;
    const was = {
      name: before.name,
      low_balance_usd: usd(before.low_balance),
      ...(before.policy ?? noPolicy),
    };
    const after = { name, low_balance_usd: usd(lowBalance), ...policy };
    await audit(tx, by, { ...changed, before: was, after }, at);
  });
  return readAccount(context, id);
}

/** The names of accounts or keys, by id, for files in which ids mean little to people. */
export function readNames(
  { database }: { database: ReadableDatabase },
  of: 'accounts' | 'keys',
  ids: readonly string[],
): Promise<Map<string, string>> {
  return findNames(database.reader, of, ids);
}

export async function readAccounts(
  context: AccountsContext,
  query: AccountQuery,
): Promise<AccountList> {
  // First, as for a balance.
  const held = context.ledger.inMemory();
  const listed = await listAccounts(context.database, query);
  return {
    accounts: listed.rows.map((row) => showAccount(row, held.get(row.id)?.reserved ?? 0)),
    next_cursor: listed.end.next_cursor,
  };
}

export async function readAccount(context: AccountsContext, id: string): Promise<Account> {
  const held = context.ledger.reserved(id);
  const row = await findAccount(context.database, id);
  if (!row) throw noAccount(id);
  return showAccount(row, held);
}

/** How an operator moves money: by what the ids of the movements begin with. */
const movements = {
  topups: { prefix: 'top', action: 'balance.topped_up', verb: 'topup' },
  adjustments: { prefix: 'adj', action: 'balance.adjusted', verb: 'adjust' },
  refunds: { prefix: 'ref', action: 'balance.refunded', verb: 'refund' },
} as const;

/** A movement by an operator. A repeated key (the Idempotency-Key, if there is one) moves nothing. */
export async function moveMoney(
  { ledger }: AccountsContext,
  kind: keyof typeof movements,
  { account_id, key, by }: { account_id: string; key: string | undefined; by: Author },
  body: z.infer<typeof TopupRequest> & { request_id?: string },
): Promise<TransferLine> {
  const { prefix, action, verb } = movements[kind];
  const { amount_usd, reason, request_id } = body;
  const id =
    key === undefined
      ? newId(prefix)
      : `${prefix}_${sha256Hex(`${account_id} ${key}`).slice(0, 32)}`;
  const entry = { id, account_id, amount: exactMicroUsd(amount_usd), reason };
  const after = { amount_usd, reason, ...(request_id === undefined ? {} : { request_id }) };
  const change = { action, account_id, target: id, after };
  const outcome = await (verb === 'refund'
    ? ledger.refund({ ...entry, hold_id: request_id ?? '' }, { audit: { by, change } })
    : ledger[verb](entry, { audit: { by, change } }));
  return movedBy(outcome, account_id);
}

export function showTransfer(transfer: Transfer): TransferLine {
  const { amount, hold_id, created_at, held: _held, ...line } = transfer;
  const unknown = {
    ...{ tool: null, provider: null, asked: null, simulated: false },
    balance_after_usd: null,
  };
  const fields = { amount_usd: usd(amount), request_id: hold_id, created_at: iso(created_at) };
  return { ...line, ...unknown, ...fields };
}

export function noAccount(id: string): GatewayError {
  return new GatewayError('not_found', `There is no account ${id}.`);
}

/** `reserved` is what its requests hold in memory. */
function showAccount(row: AccountRow, reserved: number): Account {
  const { id, name, policy } = row;
  const held = row.held + reserved;
  return {
    id,
    name,
    created_at: iso(row.created_at),
    balance_usd: usd(row.posted - held),
    held_usd: usd(held),
    exposed_usd: usd(row.exposed),
    low_balance_usd: usd(row.low_balance),
    ...(policy ?? noPolicy),
  };
}

function movedBy(outcome: Posted['outcome'], accountId: string): TransferLine {
  switch (outcome.kind) {
    case 'moved':
      return showTransfer(outcome.transfer);
    case 'no_account':
      throw noAccount(accountId);
    case 'id_taken':
      throw rejected('This Idempotency-Key was used with a different body. Use a new one.', 409);
    case 'closed':
      throw new GatewayError('not_found', 'This account has no such charged request.');
    case 'declined':
      throw rejected(`At most ${usd(outcome.available)} USD can be moved.`, 400);
    case 'held':
    case 'settled':
    case 'released':
    case 'rate_limited':
    case 'skipped':
      throw new Error(`a movement ended as ${outcome.kind}`);
  }
}

function rejected(message: string, status: number): GatewayError {
  const issues = [{ path: 'amount_usd', code: 'refused', message }];
  return new GatewayError('invalid_request', message, { issues }, { status });
}

/** What expires of accounts: answers, codes, tokens, sessions and invitations. */
export const accountExpiry: readonly Expiring[] = [
  expiredAnswers,
  expiredCodes,
  expiredRefreshTokens,
  {
    kind: 'sessions',
    keptMs: dayMs,
    step: (database, { now }) => deleteExpiredSessions(database, new Date(now).toISOString()),
  },
  endedInvites,
];
