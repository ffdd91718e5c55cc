// Balances and holds of accounts, read without a lock.
import type { AccountState } from '../core/book.ts';
import { heldByRequests, idStatement, type Runner } from '../../store/index.ts';

const findBalancesStatement = idStatement(
  (places) => `select id, posted, held from accounts where id in (${places})`,
);

export async function findBalances(
  on: Runner,
  ids: readonly string[],
): Promise<Map<string, AccountState>> {
  const rows = await on.run(...findBalancesStatement(ids));
  return new Map(
    rows.map(({ id, posted, held }) => [
      String(id),
      { posted: Number(posted), held: Number(held) },
    ]),
  );
}

export async function findBalance(on: Runner, id: string): Promise<AccountState | undefined> {
  const [row] = await on.run(`select posted, ${heldByRequests} from accounts where id = $1`, [id]);
  return row && { posted: Number(row['posted']), held: Number(row['held']) };
}
