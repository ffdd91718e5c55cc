// A rule of money, jobs or leases that must hold whatever the code around it does. Code that finds one
// broken throws this instead of writing, so that a defect costs a refusal and not a wrong book. The
// error may cross a thread as text, so its words name the account.

/** Every rule that is checked while the gateway runs; SECURITY.md says what each means. */
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

/** Undefined for the words of any other error. */
export function readBrokenRule(words: string): { rule: Rule; account_id: string } | undefined {
  const found = /^the rule (\w+) is broken for ([^\s:]+): /.exec(words);
  const rule = rules.find((one) => one === found?.[1]);
  return rule && found?.[2] !== undefined ? { rule, account_id: found[2] } : undefined;
}
