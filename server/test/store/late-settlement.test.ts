// Settlements after the provider has answered: if a hold, a claim or an allowance has ended in the
// meantime, the caller still gets the answer and pays for it once.
import { describe, expect, test } from 'bun:test';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { findBalance } from '../../src/billing/store/ledger.ts';
import type { Database } from '../../src/store/database.ts';
import { amountOf } from '../amount-of.ts';
import { found } from '../exa-upstream.ts';
import { engines } from './engines.ts';
import { accountId, openFundedAccount, openLedger, plainHold } from './funded-accounts.ts';
import { balance, type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';
import { makeStore } from './migrated-store.ts';

const usualLeft = { balance_usd: 0.993, held_usd: 0 };
const keyed = { 'idempotency-key': 'k' };

describe.each(engines)('on $name', (engine) => {
  test('an answer whose hold was deleted is served, charged once, and counted as a 200', async () => {
    await using fixture = await openGatewayOnStore(engine, '1');
    await duringTheCall(fixture, async (database) => {
      await database.run('update holds set expires_at = 1');
      await database.run('delete from holds');
      await database.run('update accounts set held = 0');
    });
    expect((await fixture.gateway.search(keyed)).status).toBe(200);
    expect(await balance(fixture.gateway)).toMatchObject(usualLeft);
    const lines = await fixture.store.database.run(
      `select amount, held, reason from transfers where kind = 'settle'`,
    );
    expect(lines).toHaveLength(1);
    expect(Object.values(lines[0] ?? {}).map(String)).toEqual([
      '-7000',
      '0',
      'settled after its hold had ended',
    ]);
    expect(await fixture.gateway.metrics()).toContain(
      'trivium_served_total{tool="search",provider="engine_a",status="200",outcome="served"} 1',
    );
    // Its answer is stored, and a retry costs nothing.
    const again = await fixture.gateway.search(keyed);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(fixture.exa.calls()).toBe(1);
  });

  test('money that was spent in the meantime leaves a debt that the audit can explain', async () => {
    await using fixture = await openGatewayOnStore(engine, '0.007');
    await duringTheCall(fixture, async (database) => {
      await database.run('delete from holds');
      await database.run('delete from key_days');
      await database.run('update accounts set held = 0, posted = 0');
      await database.run(`insert into transfers (id, kind, account_id, amount, reason, created_at)
        select 'spent', 'adjust', id, -7000, 'test', 1 from accounts`);
    });
    expect((await fixture.gateway.search(keyed)).status).toBe(200);
    expect(await balance(fixture.gateway)).toMatchObject({ balance_usd: -0.007, held_usd: 0 });
    const { violations } = await auditLedger(fixture.store.database);
    expect(violations).toEqual([]);
  });

  test('an expired claim still belongs to its request, and one that was taken over charges once', async () => {
    await using fixture = await openGatewayOnStore(engine, '1');
    await duringTheCall(fixture, async (database) => {
      await database.run('update idempotency set expires_at = 1');
    });
    expect((await fixture.gateway.search(keyed)).status).toBe(200);
    expect((await fixture.gateway.search(keyed)).headers.has('idempotent-replayed')).toBe(true);
    // The other request has the key, and is charged for its own answer.
    await duringTheCall(fixture, async (database) => {
      await database.run(`update idempotency set owner = 'req_other' where state = 'running'`);
    });
    const late = await fixture.gateway.search({ 'idempotency-key': 'other' });
    expect([late.status, late.headers.get('retry-after')]).toEqual([409, '1']);
    expect(await balance(fixture.gateway)).toMatchObject(usualLeft);
  });

  test('a hold that commits after its key was taken over holds nothing', async () => {
    await using store = await makeStore(engine);
    const ledger = openLedger(store.database);
    await openFundedAccount(ledger, store.database, accountId);
    const hashes = { value_hash: 'v' };
    const claim = { account_id: accountId, key: 'k', key_id: 'key_1', ...hashes };
    expect(await ledger.claim({ ...claim, owner: 'late', expires_at: 1 })).toMatchObject({
      kind: 'claimed',
    });
    const later = Number.MAX_SAFE_INTEGER;
    expect(await ledger.claim({ ...claim, owner: 'next', expires_at: later })).toMatchObject({
      kind: 'claimed',
    });
    const hold = (owner: string) =>
      ledger.hold(
        { ...plainHold, id: owner, amount: amountOf(30) },
        { under: { account_id: accountId, key: 'k', owner } },
      );
    expect(await hold('late')).toEqual({ kind: 'closed' });
    expect(await hold('next')).toMatchObject({ kind: 'held' });
    expect(await findBalance(store.database, accountId)).toMatchObject({ held: 30 });
  });

  test('a plain search is charged even if others removed its gateway as dead', async () => {
    await using fixture = await openGatewayOnStore(engine, '1');
    // On PostgreSQL the second of two searches is held against an allowance.
    for (let at = 0; at < 3; at += 1) expect((await fixture.gateway.search()).status).toBe(200);
    await duringTheCall(fixture, async (database) => {
      if (engine.name === 'PostgreSQL') await database.run('delete from gateways');
      else await database.run('delete from holds');
    });
    expect((await fixture.gateway.search()).status).toBe(200);
    const { balance_usd: left } = await balance(fixture.gateway);
    expect(left).toBeLessThanOrEqual(0.972);
    const [paid] = await fixture.store.database.run(
      `select count(*) as n, sum(amount) as sum from transfers where kind = 'settle'`,
    );
    expect([Number(paid?.['n']), Number(paid?.['sum'])]).toEqual([4, -28_000]);
  });
});

/** Changes the store while the next call to the provider runs. */
async function duringTheCall(
  { exa, store }: GatewayOnStore,
  change: (database: Database) => Promise<void>,
): Promise<void> {
  const other = await store.another();
  exa.answer(async () => {
    exa.answer(() => found());
    await change(other);
    await other.close();
    return found();
  });
}
