// The operator's client: accounts, balances, keys, the ledger, the request log and usage.
import type { BudgetRequest } from '@trivium/contract';
import { adminCalls } from './admin-calls.ts';
import { adminMethods } from './admin-methods.ts';
import type { AdminClient } from './admin-methods.ts';
import { optionsOf } from './names.ts';
import type { EitherOption } from './names.ts';
import { transportOf } from './options.ts';
import type { TransportOptions } from './options.ts';

export type { AdminClient } from './admin-methods.ts';
export type { MovementOptions } from './admin-calls.ts';

export interface AdminOptions extends TransportOptions {
  /** The operator's token, not an API key; TRIVIUM_ADMIN_TOKEN by default. */
  adminToken?: string | undefined;
}

export interface Movement {
  amount_usd: number;
  /** Recorded in the ledger permanently. */
  reason: string;
}

export type WebhookClient = AdminClient['webhooks'];
export type BudgetClient = AdminClient['budgets'];
/** An omitted cap is removed. */
export type BudgetInput = Pick<BudgetRequest, 'tag' | 'value'> & Partial<BudgetRequest>;

/** Throws a ConfigurationError immediately if the options are invalid. */
export function createAdminClient(given: EitherOption<AdminOptions> = {}): AdminClient {
  const options = optionsOf<AdminOptions>(given);
  const transport = transportOf(options, {
    option: 'adminToken',
    variable: 'TRIVIUM_ADMIN_TOKEN',
    value: options.adminToken,
  });
  return adminMethods(adminCalls(transport));
}
