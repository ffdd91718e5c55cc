// What an operator does with accounts and their money.
import type {
  Account,
  AccountList,
  PageQuery,
  RefundRequest,
  TopupRequest,
  TransferLine,
} from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import type { z } from 'zod';
import type { Transfer } from '../domain/ledger/book.ts';
import { exactMicroUsd, usd } from '../domain/money.ts';
import { newId, sha256Hex } from '../platform/ids.ts';
import { findAccount, insertAccount, listAccounts } from '../store/accounts.ts';
import type { AccountRow } from '../store/accounts.ts';
import { iso, nextCursor, pageOf } from './admin-pages.ts';
import type { House } from './house.ts';
import type { Posted } from './post-batch.ts';

export async function createAccount(house: House, name: string): Promise<Account> {
  const id = newId('acct');
  await insertAccount(house.database, { id, name }, house.clock.now().getTime());
  return readAccount(house, id);
}

export async function readAccounts(house: House, query: PageQuery): Promise<AccountList> {
  const page = pageOf(query);
  const rows = await listAccounts(house.database, page.place, page.limit);
  return {
    accounts: rows.map((row) => showAccount(house, row)),
    next_cursor: nextCursor(rows, page),
  };
}

export async function readAccount(house: House, id: string): Promise<Account> {
  const row = await findAccount(house.database, id);
  if (!row) throw noAccount(id);
  return showAccount(house, row);
}

/** A movement that an operator asks for; the same key again moves nothing. */
export interface Movement {
  account_id: string;
  /** The Idempotency-Key, if there is one. */
  key: string | undefined;
}

type Amount = z.infer<typeof TopupRequest>;

export async function topUp(
  house: House,
  { account_id, key }: Movement,
  { amount_usd, reason }: Amount,
): Promise<TransferLine> {
  const id = movementId('top', account_id, key);
  const amount = exactMicroUsd(amount_usd);
  return moved(account_id, await house.ledger.topup({ id, account_id, amount, reason }));
}

export async function adjust(
  house: House,
  { account_id, key }: Movement,
  { amount_usd, reason }: Amount,
): Promise<TransferLine> {
  const id = movementId('adj', account_id, key);
  const amount = exactMicroUsd(amount_usd);
  return moved(account_id, await house.ledger.adjust({ id, account_id, amount, reason }));
}

export async function refund(
  house: House,
  { account_id, key }: Movement,
  { amount_usd, reason, request_id }: z.infer<typeof RefundRequest>,
): Promise<TransferLine> {
  const id = movementId('ref', account_id, key);
  const amount = exactMicroUsd(amount_usd);
  const entry = { id, account_id, hold_id: request_id, amount, reason };
  return moved(account_id, await house.ledger.refund(entry));
}

export function showTransfer(transfer: Transfer): TransferLine {
  const { amount, hold_id, created_at, held: _held, ...line } = transfer;
  return { ...line, amount_usd: usd(amount), request_id: hold_id, created_at: iso(created_at) };
}

export function noAccount(id: string): GatewayError {
  return new GatewayError('not_found', `There is no account ${id}.`);
}

function showAccount({ ledger }: House, row: AccountRow): Account {
  const { id, name, created_at, posted } = row;
  const held = row.held + ledger.reserved(id);
  const balance_usd = usd(posted - held);
  return { id, name, created_at: iso(created_at), balance_usd, held_usd: usd(held) };
}

function movementId(prefix: string, account_id: string, key: string | undefined): string {
  if (key === undefined) return newId(prefix);
  return `${prefix}_${sha256Hex(`${account_id} ${key}`).slice(0, 32)}`;
}

function moved(account_id: string, outcome: Posted['outcome']): TransferLine {
  switch (outcome.kind) {
    case 'moved':
      return showTransfer(outcome.transfer);
    case 'no_account':
      throw noAccount(account_id);
    case 'id_taken':
      throw refused('This Idempotency-Key was used for another amount. Use a new one.', 409);
    case 'closed':
      throw new GatewayError('not_found', 'This account has no such charged request.');
    case 'declined':
      throw refused(`At most ${usd(outcome.available)} USD can be moved.`, 400);
    case 'held':
    case 'settled':
    case 'released':
    case 'too_often':
    case 'skipped':
      throw new Error(`a movement ended as ${outcome.kind}`);
  }
}

function refused(message: string, status: number): GatewayError {
  const issues = [{ path: 'amount_usd', code: 'refused', message }];
  return new GatewayError('invalid_request', message, { issues }, { status });
}
