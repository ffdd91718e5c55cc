// Checks the holds that a running gateway keeps in memory, against each other and against the
// store. It reads only the balances of the accounts in memory, so it does not delay requests.
import type { MemoryAudit } from '@trivium/contract';
import { faultBetween, faultsWithin } from './core/memory-faults.ts';
import { usd } from './core/amount.ts';
import type { KnownAccount } from './core/reservations.ts';
import { findBalances } from './store/balances.ts';
import type { BalanceContext } from './context.ts';

const idsPerStatement = 256;
const noMoney = { posted: 0, held: 0 };

export async function auditMemory(context: BalanceContext): Promise<MemoryAudit> {
  const known = [...context.ledger.inMemory()];
  const violations = known.flatMap(([id, account]) => faultsWithin(id, account));
  const ids = known.map(([id]) => id);
  if (context.ledger.allowances() === undefined) {
    for (let from = 0; from < ids.length; from += idsPerStatement) {
      violations.push(...(await compare(context, ids.slice(from, from + idsPerStatement))));
    }
  } else violations.push(...known.flatMap((one) => allowanceFaults(context, one)));
  const reserved = known.reduce((sum, [, account]) => sum + account.counted, 0);
  return {
    engine: context.database.engine,
    accounts: known.length,
    reserved_usd: Number.isFinite(reserved) ? usd(reserved) : null,
    violations,
  };
}

/**
 * The store answers in order: when the balances arrive, memory includes exactly what was committed
 * before they were read.
 */
async function compare(
  { database, ledger }: BalanceContext,
  ids: readonly string[],
): Promise<string[]> {
  const balances = await findBalances(database, ids);
  const known = ledger.inMemory();
  return ids.flatMap((id) => faultBetween(id, known.get(id), balances.get(id) ?? noMoney) ?? []);
}

/** On PostgreSQL, memory may spend what is granted and not yet spent. */
function allowanceFaults(
  { ledger }: Pick<BalanceContext, 'ledger'>,
  [id, { free }]: readonly [string, KnownAccount],
): string[] {
  const { granted = 0, spent = 0 } = ledger.allowances()?.get(id) ?? {};
  if (free === undefined || free === granted - spent) return [];
  return [
    `The available amount in memory is the granted amount less the spent amount: account ${id}, ` +
      `found ${free}, expected ${granted - spent} micro-USD.`,
  ];
}
