// A rule that is broken in the running gateway: the write is refused, the account cannot spend, and
// other accounts are served.
import { expect, test } from 'bun:test';
import type { GatewayError } from '@trivium/contract';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { makeLedger } from '../../src/billing/ledger.ts';
import { makeStoppedAccounts } from '../../src/billing/stopped-accounts.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { amountOf } from '../amount-of.ts';
import { sqliteEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { plainHold } from './funded-accounts.ts';

test('the write is refused, the account cannot spend, and others are served', async () => {
  await using store = await makeStore(sqliteEngine);
  const { database } = store;
  const [spoilt, sound] = ['acct_spoilt', 'acct_sound'];
  const log = makeLog('silent');
  const broken: string[] = [];
  const stopped = makeStoppedAccounts(log, (rule) => broken.push(rule));
  const ledger = makeLedger({ database, clock: systemClock, log, stopped });
  for (const id of [spoilt, sound]) {
    await insertAccount(database, { id, name: id }, 0);
    const amount = 5000;
    await ledger.topup({ id: `top_${id}`, account_id: id, amount, reason: 'more' });
  }
  const hold = { ...plainHold, uncapped: false, amount: amountOf(100) };
  await ledger.hold({ ...hold, id: 'req_1', account_id: spoilt });
  // Rows that were changed by hand, or by a defect.
  await database.run(`update accounts set held = 0 where id = '${spoilt}'`);
  const release = ledger.release({ id: 'req_1', account_id: spoilt });
  expect(await release.catch((error: unknown) => String(error))).toContain('held_not_negative');
  expect(broken).toEqual(['held_not_negative']);
  expect(await database.run(`select held from accounts where id = '${spoilt}'`)).toEqual([
    { held: 0 },
  ]);
  const next = async () => ledger.hold({ ...hold, id: 'req_2', account_id: spoilt });
  const refusal = await next().catch((error: unknown) => error);
  expect((refusal as GatewayError).status).toBe(503);
  const other = await ledger.hold({ ...hold, id: 'req_3', account_id: sound });
  expect(other.kind).toBe('held');
  await ledger.close();
});
