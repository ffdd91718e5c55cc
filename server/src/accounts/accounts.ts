// Accounts and their money, as an operator manages them.
import type {
  Account,
  AccountChange,
  AccountList,
  AccountQuery,
  AccountRequest,
  RefundRequest,
  TopupRequest,
  TransferLine,
} from '@trivium/contract';
import { GatewayError, noPolicy } from '@trivium/contract';
import type { z } from 'zod';
import { exactMicroUsd, type Transfer, usd } from '../billing/core/index.ts';
import { audit } from '../audit/index.ts';
import type { AuditedChange, Author } from '../audit/core/index.ts';
import { newId, sha256Hex } from '../platform/ids.ts';
import { changePolicy } from '../policy/core/index.ts';
import {
  findAccount,
  insertAccount,
  listAccounts,
  putLowBalance,
  updateAccount,
} from './store/accounts.ts';
import { countChange, iso, nextCursor, readPage } from '../store/index.ts';
import type { AccountRow } from './store/accounts.ts';
import type { AccountsContext } from './context.ts';
import type { Posted } from '../billing/index.ts';

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
    await updateAccount(tx, { id, name, policy });
    await putLowBalance(tx, id, lowBalance);
    // The policy applies to every key of the account, so gateways must reload their keys.
    await countChange(tx, 'keys');
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

export async function readAccounts(
  context: Pick<AccountsContext, 'database' | 'ledger'>,
  query: AccountQuery,
): Promise<AccountList> {
  const page = readPage(query);
  const rows = await listAccounts(context.database, page, query.text);
  return {
    accounts: rows.map((row) => showAccount(context, row)),
    next_cursor: nextCursor(rows, page),
  };
}

export async function readAccount(
  context: Pick<AccountsContext, 'database' | 'ledger'>,
  id: string,
): Promise<Account> {
  const row = await findAccount(context.database, id);
  if (!row) throw noAccount(id);
  return showAccount(context, row);
}

/** A movement by an operator. A repeated key moves nothing. */
export interface Movement {
  account_id: string;
  /** The Idempotency-Key, if there is one. */
  key: string | undefined;
  by: Author;
}

type MovementAmount = z.infer<typeof TopupRequest>;

export async function topUp(
  context: Pick<AccountsContext, 'ledger'>,
  { account_id, key, by }: Movement,
  { amount_usd, reason }: MovementAmount,
): Promise<TransferLine> {
  const id = movementId('top', account_id, key);
  const amount = exactMicroUsd(amount_usd);
  const entry = { id, account_id, amount, reason };
  const change = movementChange('balance.topped_up', entry, { amount_usd, reason });
  return moved(account_id, await context.ledger.topup(entry, { audit: { by, change } }));
}

export async function adjust(
  context: Pick<AccountsContext, 'ledger'>,
  { account_id, key, by }: Movement,
  { amount_usd, reason }: MovementAmount,
): Promise<TransferLine> {
  const id = movementId('adj', account_id, key);
  const amount = exactMicroUsd(amount_usd);
  const entry = { id, account_id, amount, reason };
  const change = movementChange('balance.adjusted', entry, { amount_usd, reason });
  return moved(account_id, await context.ledger.adjust(entry, { audit: { by, change } }));
}

export async function refund(
  context: Pick<AccountsContext, 'ledger'>,
  { account_id, key, by }: Movement,
  { amount_usd, reason, request_id }: z.infer<typeof RefundRequest>,
): Promise<TransferLine> {
  const id = movementId('ref', account_id, key);
  const amount = exactMicroUsd(amount_usd);
  const entry = { id, account_id, hold_id: request_id, amount, reason };
  const change = movementChange('balance.refunded', entry, { amount_usd, reason, request_id });
  return moved(account_id, await context.ledger.refund(entry, { audit: { by, change } }));
}

function movementChange(
  action: AuditedChange['action'],
  { id, account_id }: { id: string; account_id: string },
  after: object,
): AuditedChange {
  return { action, account_id, target: id, after: { ...after } };
}

export function showTransfer(transfer: Transfer): TransferLine {
  const { amount, hold_id, created_at, held: _held, ...line } = transfer;
  const unknown = { tool: null, provider: null, asked: null, balance_after_usd: null };
  const fields = { amount_usd: usd(amount), request_id: hold_id, created_at: iso(created_at) };
  return { ...line, ...unknown, ...fields };
}

export function noAccount(id: string): GatewayError {
  return new GatewayError('not_found', `There is no account ${id}.`);
}

function showAccount({ ledger }: Pick<AccountsContext, 'ledger'>, row: AccountRow): Account {
  const { id, name, created_at, posted, low_balance } = row;
  const held = row.held + ledger.reserved(id);
  const balance = {
    balance_usd: usd(posted - held),
    held_usd: usd(held),
    exposed_usd: usd(row.exposed),
  };
  return {
    id,
    name,
    created_at: iso(created_at),
    ...balance,
    low_balance_usd: usd(low_balance),
    ...(row.policy ?? noPolicy),
  };
}

function movementId(prefix: string, accountId: string, key: string | undefined): string {
  if (key === undefined) return newId(prefix);
  return `${prefix}_${sha256Hex(`${accountId} ${key}`).slice(0, 32)}`;
}

function moved(accountId: string, outcome: Posted['outcome']): TransferLine {
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
