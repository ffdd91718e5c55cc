// The rules of money that a batch must keep. They are checked on the whole batch before it is
// written, with sums computed separately, because the code that decided the entries may be wrong.
import { BrokenRuleError } from './broken-rule.ts';
import type { Rule } from './broken-rule.ts';
import type { Book } from './book.ts';

/** Throws a BrokenRuleError. */
export function checkBook(book: Book): void {
  const sums = sumsOf(book);
  for (const [id, change] of book.changes.accounts) {
    const broken = (rule: Rule, facts: string) => new BrokenRuleError(rule, id, facts);
    const { posted = 0, held = 0 } = sums.get(id) ?? {};
    if (change.posted !== posted) {
      throw broken('movements_add_up', `${change.posted} is posted for movements of ${posted}`);
    }
    if (change.held !== held) {
      throw broken('holds_add_up', `${change.held} is held for holds of ${held}`);
    }
    const account = book.accounts.get(id);
    // A sum that was negative before this batch is an older fault, which the audit reports.
    if (account && account.held < 0 && change.held < 0) {
      throw broken('held_not_negative', `${account.held} would be held`);
    }
    if (!Number.isSafeInteger(account?.posted) || !Number.isSafeInteger(account?.held)) {
      throw broken('whole_amounts', `${account?.posted} posted, ${account?.held} held`);
    }
  }
}

interface Sums {
  posted: number;
  held: number;
}

/** Sums the rows of the batch for each account. */
function sumsOf({ changes }: Book): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  const add = (id: string, posted: number, held: number) => {
    const sum = sums.get(id);
    if (sum) {
      sum.posted += posted;
      sum.held += held;
    } else sums.set(id, { posted, held });
  };
  const seen = new Set<string>();
  for (const { id, kind, account_id, amount } of changes.transfers) {
    if (seen.has(id)) throw new BrokenRuleError('movement_once', account_id, `${id} occurs twice`);
    seen.add(id);
    if (kind === 'settle' ? amount > 0 : kind !== 'adjust' && amount < 0) {
      throw new BrokenRuleError('settle_takes', account_id, `the ${kind} ${id} moves ${amount}`);
    }
    add(account_id, amount, 0);
  }
  for (const { account_id, amount } of changes.opened) add(account_id, 0, amount);
  for (const { account_id, amount } of changes.closed) add(account_id, 0, -amount);
  for (const { account_id, booked } of changes.allowances.values()) add(account_id, 0, -booked);
  for (const [id, { posted, held }] of sums) {
    const change = changes.accounts.get(id);
    if (change || (posted === 0 && held === 0)) continue;
    throw new BrokenRuleError('movements_add_up', id, `nothing is posted for ${posted}, ${held}`);
  }
  return sums;
}
