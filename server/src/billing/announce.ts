// Writes the events of a batch, in its transaction: balances that became low, and caps reached.
import type { BalanceLow, CapReached } from '@trivium/contract';
import { writeEvent } from '../events/outbox.ts';
import type { Runner } from '../store/database.ts';
import type { Book } from './core/book.ts';
import { capMark } from './core/caps.ts';
import { usd } from './core/money.ts';
import { markCapReached } from './store/ledger.ts';

export async function announce(tx: Runner, { now, accounts, changes }: Book): Promise<void> {
  for (const id of changes.low_accounts) {
    const { posted, low_balance = 0 } = accounts.get(id) ?? { posted: 0 };
    const data: BalanceLow = {
      account_id: id,
      balance_usd: usd(posted),
      low_balance_usd: usd(low_balance),
    };
    await writeEvent(tx, { type: 'balance.low', account_id: id, subject: id, data, at: now });
  }
  for (const reached of changes.caps_reached) {
    const { account_id, key_id, kind, cap, spent, period } = reached;
    await markCapReached(tx, key_id, kind, capMark(reached));
    const amounts = { cap_usd: usd(cap), spent_usd: usd(spent) };
    const data: CapReached = { account_id, key_id, cap: kind, ...amounts, period };
    await writeEvent(tx, { type: 'cap.reached', account_id, subject: key_id, data, at: now });
  }
}
