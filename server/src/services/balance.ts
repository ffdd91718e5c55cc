// What an account has left: its balance without what is held for requests under way.
import type { Balance } from '@trivium/contract';
import { usageOf, usd } from '../domain/money.ts';
import { findBalance } from '../store/accounts.ts';
import type { Caller, House } from './house.ts';

export async function readBalance(house: House, { account_id }: Caller): Promise<Balance> {
  const { posted, held: kept } = (await findBalance(house.database, account_id)) ?? no_money;
  const held = kept + house.ledger.reserved(account_id);
  const free = usageOf(posted - held);
  return { balance_usd: free.cost_usd, held_usd: usd(held), credits: free.credits };
}

const no_money = { posted: 0, held: 0 };
