// What an account has available: its balance without the holds of running requests.
import type { Balance } from '@trivium/contract';
import { usageOf, usd } from './core/money.ts';
import { findBalance } from './store/balances.ts';
import type { BalanceContext } from './context.ts';
import type { Caller } from './request-context.ts';

export async function readBalance(
  context: BalanceContext,
  { account_id }: Caller,
): Promise<Balance> {
  const { posted, held: kept } = (await findBalance(context.database, account_id)) ?? noMoney;
  const held = kept + context.ledger.reserved(account_id);
  const free = usageOf(posted - held);
  return { balance_usd: free.cost_usd, held_usd: usd(held), credits: free.credits };
}

const noMoney = { posted: 0, held: 0 };
