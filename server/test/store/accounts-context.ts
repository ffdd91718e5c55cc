// The context of accounts, for tests of verbs that move no money.
import type { AccountsContext } from '../../src/accounts/context.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/store/index.ts';

export function accountsContext(database: Database, clock: Clock): AccountsContext {
  const refuse = () => {
    throw new Error('this test moves no money');
  };
  const moves = { topup: refuse, adjust: refuse, refund: refuse };
  const reads = { reserved: () => 0, inMemory: refuse, allowances: refuse };
  return { database, clock, ledger: { ...moves, ...reads } };
}
