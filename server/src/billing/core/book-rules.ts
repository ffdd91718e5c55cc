// The rules of money that a batch must keep. They are checked on the whole batch before it is
// written, with sums computed separately, because the code that decided the entries may be wrong.
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

/** Sums the rows of the batch for each account. */
function sumsOf({ changes }: Book) {
  const sums = new Map<string, { posted: number; held: number }>();
  const add = (id: string, posted: number, held: number) => {
    const sum = sums.get(id) ?? { posted: 0, held: 0 };
    sums.set(id, { posted: sum.posted + posted, held: sum.held + held });
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

/** Every rule that is checked while the gateway runs. SECURITY.md explains each of them. */
const rules = [
  'movements_add_up',
  'holds_add_up',
  'held_not_negative',
  'whole_amounts',
  'movement_once',
  'settle_takes',
  'job_ends_once',
  'job_moves',
  'attempts_grow',
  'lease_is_own',
] as const;
export type Rule = (typeof rules)[number];

const brokenRuleCode = 'TRIVIUM_BROKEN_RULE';

export class BrokenRuleError extends Error {
  readonly code = brokenRuleCode;
  constructor(rule: Rule, accountId: string, facts: string) {
    super(`the rule ${rule} is broken for ${accountId}: ${facts}`);
  }
}

/** Undefined for the message of any other error. */
export function readBrokenRule(words: string): { rule: Rule; account_id: string } | undefined {
  const found = /^the rule (\w+) is broken for ([^\s:]+): /.exec(words);
  const rule = rules.find((one) => one === found?.[1]);
  return rule && found?.[2] !== undefined ? { rule, account_id: found[2] } : undefined;
}
