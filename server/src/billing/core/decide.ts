// The decisions of the ledger: an entry either moves money or returns the reason why not. A
// repeated entry moves nothing.
import { type Amount, assertAmount, assertMovement, lesserOf, toAmount } from './amount.ts';
import {
  availableOf,
  type Book,
  bookAllowance,
  changeAccount,
  closeHold,
  type HoldState,
  openHold,
  type Transfer,
  unreserve,
} from './book.ts';
import { changeExposure, changeKey, changeTags } from './spending.ts';
import { reachCaps } from './caps.ts';
import type {
  LedgerEntry,
  HoldEntry,
  LedgerOutcome,
  RefundEntry,
  ReleaseEntry,
  SettleEntry,
  TopupEntry,
} from './entries.ts';
import { reachedLimit } from './hold-limits.ts';
import {
  countRequest,
  countRunning,
  isLimitedAtOnce,
  rateLimited,
} from '../../requests/core/index.ts';

type Settled = Extract<LedgerOutcome, { kind: 'settled' }>;

export function decide(book: Book, entry: LedgerEntry): LedgerOutcome {
  assertMoney(entry);
  if (!book.accounts.has(entry.account_id)) return { kind: 'no_account' };
  switch (entry.kind) {
    case 'hold':
      return decideHold(book, entry);
    case 'settle':
      return decideSettle(book, entry);
    case 'release':
      return decideRelease(book, entry);
    case 'topup':
    case 'adjust':
      return moveFunds(book, entry);
    case 'refund':
      return decideRefund(book, entry);
  }
}

/** False for an entry that can no longer take effect: deciding it changes nothing. */
export function canMove(book: Book, entry: LedgerEntry): boolean {
  switch (entry.kind) {
    case 'hold':
      return !book.holds.has(entry.id) && !book.transfers.has(entry.id);
    case 'settle':
    case 'release':
      return book.holds.has(entry.id);
    case 'topup':
    case 'adjust':
    case 'refund':
      return !book.transfers.has(entry.id);
  }
}

/** Throws for an invalid amount. Entries are also read from the journal, which has no types. */
export function assertMoney(entry: LedgerEntry): void {
  const what = `the ${entry.kind} ${entry.id}`;
  switch (entry.kind) {
    case 'hold':
      assertAmount(entry.amount, what);
      if (assertAmount(entry.worst_case ?? entry.amount, what) < entry.amount)
        throw new Error(`${what} holds more than it can cost`);
      assertAmount(entry.overdraft ?? 0, what);
      return;
    case 'settle':
      assertAmount(entry.cost, what);
      if (entry.reserved) assertAmount(entry.reserved.amount, what);
      if (entry.unheld) assertAmount(entry.unheld.amount, what);
      return;
    case 'refund':
    case 'topup':
      if (assertMovement(entry.amount, what) < 0)
        throw new Error(`${what} is not micro-USD to add`);
      return;
    case 'adjust':
      assertMovement(entry.amount, what);
      return;
    case 'release':
  }
}

function decideHold(book: Book, entry: HoldEntry): LedgerOutcome {
  const before = book.holds.get(entry.id);
  if (before?.account_id === entry.account_id) {
    return { kind: 'held', amount: before.amount, again: true };
  }
  if (before ?? book.transfers.has(entry.id)) return { kind: 'closed' };
  const limited = rateLimited(book.rateLimit, entry, book.now);
  if (limited) return limited;
  const { id, account_id, key_id, amount, expires_at, tags } = entry;
  const limit = reachedLimit(book, entry);
  if (limit) {
    // A cap with room for the hold is not reached: only the worst case of the job exceeds it.
    const isReached = (spent: number, cap: number, kind: string) =>
      limit.because === `${kind}_cap` && spent + amount > cap;
    reachCaps(book, account_id, key_id, isReached);
    return limit;
  }
  const exposure = toAmount((entry.worst_case ?? amount) - amount);
  const counted = !entry.uncapped || expires_at === null;
  // The request of a job ends with its receipt, so it never counts as a request in progress.
  const isCountedAtOnce = expires_at !== null && isLimitedAtOnce(entry);
  const opened: HoldState = {
    id,
    account_id,
    key_id,
    amount,
    ...(exposure ? { exposure } : {}),
    created_at: book.now,
    expires_at,
    counted,
    ...(isCountedAtOnce ? { gateway_id: entry.gateway_id ?? '' } : {}),
    served_by: entry.served_by,
    tags,
  };
  openHold(book, opened);
  if (isCountedAtOnce) countRunning(book.rateLimit, entry, 1);
  countRequest(book.rateLimit, entry);
  changeAccount(book, entry.account_id, 0, amount);
  if (counted) changeKey(book, opened, 0, amount);
  changeTags(book, opened, 0, amount);
  if (exposure) changeExposure(book, opened, exposure);
  return { kind: 'held', amount, again: false };
}

function decideSettle(book: Book, entry: SettleEntry): LedgerOutcome {
  const { id, account_id, reserved, unheld } = entry;
  const found = holdOf(book, entry);
  if (!found) {
    const paid = paymentOf(book, id, account_id);
    if (paid) return { kind: 'settled', cost: 0 - paid.amount, again: true };
    if (!unheld || book.holds.has(id) || book.transfers.has(id)) return { kind: 'closed' };
    // The hold has expired, or another gateway considered the one that made it dead. The money may
    // have been spent since, so the balance may fall below 0.
    const hold = { ...unheld, id, account_id, expires_at: null, counted: false };
    return charge(book, entry, hold, { released: 0, held: 0, reason: unheldReason });
  }
  const { amount } = found;
  if (reserved?.gateway_id !== undefined) {
    const { cost } = settledFrom(entry, amount);
    bookAllowance(book, account_id, reserved.gateway_id, lesserOf(cost, amount));
  } else if (reserved) unreserve(book, account_id, amount);
  else closeHold(book, found);
  return charge(book, entry, found, {
    released: reserved ? 0 : amount,
    held: amount,
    reason: null,
  });
}

/** Takes the cost from the account, and what is released from its holds. */
function charge(
  book: Book,
  entry: SettleEntry,
  hold: HoldState,
  { released, held, reason }: { released: number; held: number; reason: string | null },
): LedgerOutcome {
  const { id, account_id } = entry;
  const { key_id, tags } = hold;
  const settled = settledFrom(entry, hold.amount);
  const { cost } = settled;
  changeAccount(book, account_id, -cost, 0 - released);
  changeKey(book, hold, cost, hold.counted ? -hold.amount : 0);
  changeTags(book, hold, cost, 0 - released);
  if (hold.exposure) changeExposure(book, hold, -hold.exposure);
  reachCaps(book, account_id, key_id, (spent, cap) => spent >= cap);
  const amount = 0 - cost;
  const line = { ...entry, kind: 'settle', amount, hold_id: id, key_id, held, reason } as const;
  writeTransfer(book, { ...line, tags });
  return tags === undefined ? settled : { ...settled, tags };
}

/** The reason of a settle whose hold had ended. The audit looks for it. */
export const unheldReason = 'settled after its hold had ended';

/** The outcome of a settle, given the amount of its hold. */
export function settledFrom(
  { cost, may_exceed }: SettleEntry,
  amount: Amount,
): Settled & { cost: Amount } {
  return { kind: 'settled', cost: may_exceed ? cost : lesserOf(cost, amount), again: false };
}

function decideRelease(book: Book, entry: ReleaseEntry): LedgerOutcome {
  const found = holdOf(book, entry);
  if (!found) return { kind: 'closed' };
  const due = entry.only_if_due_at;
  if (due !== undefined && (found.expires_at === null || found.expires_at > due)) {
    return { kind: 'closed' };
  }
  closeHold(book, found);
  changeAccount(book, entry.account_id, 0, -found.amount);
  if (found.counted) changeKey(book, found, 0, -found.amount);
  changeTags(book, found, 0, -found.amount);
  if (found.exposure) changeExposure(book, found, -found.exposure);
  return { kind: 'released', again: false };
}

/** The hold of an entry, from its row or from memory. Undefined once it is settled. */
function holdOf(book: Book, entry: SettleEntry | ReleaseEntry): HoldState | undefined {
  const { id, account_id } = entry;
  if (entry.kind === 'settle' && entry.reserved) {
    if (book.transfers.has(id)) return undefined;
    return { ...entry.reserved, id, account_id, expires_at: null, counted: false };
  }
  const found = book.holds.get(id);
  return found?.account_id === account_id ? found : undefined;
}

/** An adjustment never causes a debt: it takes at most the available amount. */
function moveFunds(book: Book, entry: TopupEntry): LedgerOutcome {
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

function decideRefund(book: Book, entry: RefundEntry): LedgerOutcome {
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
  const transfer = writeTransfer(book, { ...entry, key_id: paid.key_id, tags: paid.tags });
  return { kind: 'moved', transfer, again: false };
}

/** Looks for the settle of a hold, which has the same id. */
function paymentOf(book: Book, holdId: string, accountId: string): Transfer | undefined {
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

function writeTransfer(book: Book, line: Omit<Transfer, 'created_at'>): Transfer {
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
