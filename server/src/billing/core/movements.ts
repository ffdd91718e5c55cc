// The lines of the ledger. Top-ups, adjustments and refunds move money at once; a settle is found
// by the id of its hold.
import { availableOf, changeAccount } from './book.ts';
import type { Book, Transfer } from './book.ts';
import type { RefundEntry, TopupEntry } from './entries.ts';
import type { LedgerOutcome } from './ledger-outcome.ts';
import { changeKey, changeTags } from './spending.ts';

/** An adjustment never causes a debt: it takes at most the available amount. */
export function moveFunds(book: Book, entry: TopupEntry): LedgerOutcome {
  const repeated = repeatOf(book, entry);
  if (repeated) return repeated;
  const available = availableOf(book, entry.account_id);
  if (entry.amount < 0 && available + entry.amount < 0) {
    return { kind: 'declined', because: 'balance', available };
  }
  changeAccount(book, entry.account_id, entry.amount, 0);
  const transfer = writeTransfer(book, { ...entry, hold_id: null, key_id: null });
  return { kind: 'moved', transfer, again: false };
}

export function refund(book: Book, entry: RefundEntry): LedgerOutcome {
  const repeated = repeatOf(book, entry);
  if (repeated) return repeated;
  const paid = paymentOf(book, entry.hold_id, entry.account_id);
  if (!paid) return { kind: 'closed' };
  const before = book.refunded.get(entry.hold_id) ?? 0;
  const available = 0 - paid.amount - before;
  if (entry.amount > available) return { kind: 'declined', because: 'balance', available };
  book.refunded.set(entry.hold_id, before + entry.amount);
  changeAccount(book, entry.account_id, entry.amount, 0);
  changeKey(book, paid, -entry.amount, 0);
  changeTags(book, paid, -entry.amount, 0);
  const { key_id, tags } = paid;
  const transfer = writeTransfer(book, {
    ...entry,
    key_id,
    ...(tags === undefined ? {} : { tags }),
  });
  return { kind: 'moved', transfer, again: false };
}

/** Looks for the settle of a hold, which has the same id. */
export function paymentOf(book: Book, holdId: string, accountId: string): Transfer | undefined {
  const found = book.transfers.get(holdId);
  return found?.kind === 'settle' && found.account_id === accountId ? found : undefined;
}

function repeatOf(book: Book, entry: TopupEntry | RefundEntry): LedgerOutcome | undefined {
  const before = book.transfers.get(entry.id);
  if (!before) return undefined;
  const given: Partial<Transfer> = { hold_id: null, ...entry };
  const same = compared.every((name) => before[name] === given[name]);
  return same ? { kind: 'moved', transfer: before, again: true } : { kind: 'id_taken' };
}

const compared = ['kind', 'account_id', 'amount', 'hold_id', 'reason'] as const;

export function writeTransfer(book: Book, line: Omit<Transfer, 'created_at'>): Transfer {
  const transfer: Transfer = {
    id: line.id,
    kind: line.kind,
    account_id: line.account_id,
    amount: line.amount,
    hold_id: line.hold_id,
    key_id: line.key_id,
    reason: line.reason,
    created_at: book.now,
    held: line.held ?? null,
  };
  if (line.tags !== undefined) transfer.tags = line.tags;
  book.transfers.set(transfer.id, transfer);
  book.changes.transfers.push(transfer);
  return transfer;
}
