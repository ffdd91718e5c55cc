// An account's available amount: its balance less the holds of running requests.
import type { Balance } from '@trivium/contract';
import { usageOf, usd } from './core/amount.ts';
import { findBalance, findExposed } from './store/ledger.ts';
import type { BalanceContext } from './context.ts';
import type { Caller } from '../requests/index.ts';

export async function readBalance(
  context: BalanceContext,
  { account_id }: Caller,
): Promise<Balance> {
  const { database, ledger } = context;
  const [found = noMoney, exposed] = await Promise.all([
    findBalance(database, account_id),
    findExposed(database, [account_id]),
  ]);
  const held = found.held + ledger.reserved(account_id);
  const free = usageOf(found.posted - held);
  return {
    balance_usd: free.cost_usd,
    held_usd: usd(held),
    exposed_usd: usd(exposed.get(account_id) ?? 0),
    credits: free.credits,
  };
}

const noMoney = { posted: 0, held: 0 };
