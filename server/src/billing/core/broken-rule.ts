// A broken rule of money, jobs or leases. Code that finds one throws this error instead of writing,
// so that a defect leads to a refusal and not to wrong books. The error may cross a thread as text,
// so its message names the account.

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
