// Writes the events of a batch, in its transaction: balances that became low, and caps reached.
import type { BalanceLow, CapReached } from '@trivium/contract';
import type { NewEvent } from '../events/core/index.ts';
import { writeEvents } from '../events/write-event.ts';
import type { Runner } from '../store/index.ts';
import type { Book } from './core/book.ts';
import { capMark } from './core/caps.ts';
import { usd } from './core/amount.ts';
import { markCapsReached } from './store/ledger.ts';

export async function announce(tx: Runner, { now, accounts, changes }: Book): Promise<void> {
  const events: NewEvent[] = [];
  for (const id of changes.low_accounts) {
    const { posted, low_balance = 0 } = accounts.get(id) ?? { posted: 0 };
    const data: BalanceLow = {
      account_id: id,
      balance_usd: usd(posted),
      low_balance_usd: usd(low_balance),
    };
    events.push({ type: 'balance.low', account_id: id, subject: id, data, at: now });
  }
  const marks = new Map<string, { daily?: string; monthly?: string }>();
  for (const reached of changes.caps_reached) {
    const { account_id, key_id, kind, cap, spent, period } = reached;
    marks.set(key_id, { ...marks.get(key_id), [kind]: capMark(reached) });
    const amounts = { cap_usd: usd(cap), spent_usd: usd(spent) };
    const data: CapReached = { account_id, key_id, cap: kind, ...amounts, period };
    events.push({ type: 'cap.reached', account_id, subject: key_id, data, at: now });
  }
  if (marks.size > 0) await markCapsReached(tx, marks);
  await writeEvents(tx, events);
}
