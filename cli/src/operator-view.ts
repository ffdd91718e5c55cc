// Reports that a key reads about its own account, and an operator about any.
import { UsageError } from './command.ts';
import type { Context, ParsedArguments } from './command.ts';
import { flagOption, textOption } from './options.ts';

export function operatorOptions(what: string) {
  return {
    account: textOption('id', `the ${what} of this account (operator)`),
    'all-accounts': flagOption(`the ${what} of all accounts (operator)`),
  };
}

/** An operator without an API key means all accounts. */
export function asksOperator(given: ParsedArguments, context: Context, isNeeded = false): boolean {
  if (isNeeded || given.text('account') !== undefined || given.flag('all-accounts')) return true;
  if (!context.env['TRIVIUM_ADMIN_TOKEN']) return false;
  try {
    context.client();
    return false;
  } catch (error) {
    if (error instanceof UsageError) return true;
    throw error;
  }
}
