// Checks what a running gateway holds in memory against itself and against the store. It reads the
// balances of the accounts in memory and nothing else, so that requests are not held up by it.
import type { MemoryAudit } from '@trivium/contract';
import { faultBetween, faultsWithin } from '../domain/ledger/memory-faults.ts';
import { usd } from '../domain/money.ts';
import { findBalances } from '../store/accounts.ts';
import type { House } from './house.ts';

const ids_at_once = 256;
const no_money = { posted: 0, held: 0 };

export async function auditMemory(house: Pick<House, 'ledger' | 'database'>): Promise<MemoryAudit> {
  const known = [...(house.ledger.inMemory() ?? [])];
  const violations = known.flatMap(([id, account]) => faultsWithin(id, account));
  const ids = known.map(([id]) => id);
  for (let from = 0; from < ids.length; from += ids_at_once) {
    violations.push(...(await compare(house, ids.slice(from, from + ids_at_once))));
  }
  const reserved = known.reduce((sum, [, account]) => sum + account.counted, 0);
  return {
    engine: house.database.engine,
    accounts: known.length,
    reserved_usd: Number.isFinite(reserved) ? usd(reserved) : null,
    violations,
  };
}

/**
 * The store answers in the order in which it was asked, so that when its balances arrive, memory
 * has heard of all that came before them, and of nothing that came after.
 */
async function compare(
  { database, ledger }: Pick<House, 'ledger' | 'database'>,
  ids: readonly string[],
): Promise<string[]> {
  const balances = await findBalances(database, ids);
  const known = ledger.inMemory();
  return ids.flatMap((id) => faultBetween(id, known?.get(id), balances.get(id) ?? no_money) ?? []);
}
