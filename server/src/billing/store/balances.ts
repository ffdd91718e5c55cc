// Balances and holds of accounts, read without a lock.
import type { AccountState } from '../core/book.ts';
import { idStatement, query, reader, type Runner, text, whole } from '../../store/index.ts';

/**
 * What the requests of an account hold. Amounts granted to gateways are part of `held`, so they are
 * subtracted.
 */
export const heldByRequests = `held - (select coalesce(sum(granted - booked), 0) from allowances
    where allowances.account_id = accounts.id) as held`;

/** What open jobs of an account can cost beyond their holds. */
export const exposedByJobs = `(select coalesce(sum(exposure), 0) from holds
    where holds.account_id = accounts.id and exposure > 0) as exposed`;

const findBalancesStatement = idStatement(
  (places) => `select id, posted, held from accounts where id in (${places})`,
);
const money = { posted: whole, held: whole };
const readBalance = reader(money);
const readBalanceOf = reader({ id: text, ...money });

export async function findBalances(
  on: Runner,
  ids: readonly string[],
): Promise<Map<string, AccountState>> {
  const rows = await query.rows(on, readBalanceOf, ...findBalancesStatement(ids));
  return new Map(rows.map(({ id, ...balance }) => [id, balance]));
}

export function findBalance(on: Runner, id: string): Promise<AccountState | undefined> {
  const select = `select posted, ${heldByRequests} from accounts where id = $1`;
  return query.row(on, readBalance, select, [id]);
}

export async function findPosted(on: Runner, id: string): Promise<number | undefined> {
  const select = 'select posted from accounts where id = $1';
  return (await query.row(on, reader({ posted: whole }), select, [id]))?.posted;
}
