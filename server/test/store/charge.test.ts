// Paying for requests through a whole gateway, on both engines: hold, settle, 402, and failures. If a
// hold, a claim or an allowance has ended when the provider answers, the caller still pays once.
import { describe, test } from 'bun:test';
import { ErrorEnvelope, SearchResponse } from '@trivium/contract';
import { expect, proves } from '../../../e2e/proves.ts';
import { found, usualCostUsd } from '../exa-upstream.ts';
import { engines } from './engines.ts';
import {
  balance,
  type GatewayOnStore,
  openGatewayOnStore,
  sharedGatewayOnStore,
} from './gateway-on-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { findBalance } from '../../src/billing/store/ledger.ts';
import type { Database } from '../../src/store/database.ts';
import { amountOf } from '../amount-of.ts';
import { accountId, openFundedAccount, openLedger, plainHold } from './funded-accounts.ts';
import { makeStore } from './migrated-store.ts';

describe.each(engines)('on $name', (engine) => {
  const open = sharedGatewayOnStore(engine);

  test('errors in headers and body are reported together', async () => {
    await using fixture = await open('1');
    const refused = await fixture.gateway.search({ 'x-max-cost-usd': '-1' }, { query: '' });
    const { error } = ErrorEnvelope.parse(await refused.json());
    expect(refused.status).toBe(400);
    expect(error.detail).toMatchObject({
      issues: [{ path: 'query' }, { path: 'x-max-cost-usd', code: 'invalid_format' }],
    });
  });

  test('a reported cost above the hold is charged in full, even below zero; the next request gets a 402', async () => {
    await using fixture = await open('1');
    fixture.exa.answer(() => found(1.5));
    const { usage } = SearchResponse.parse(await (await fixture.gateway.search()).json());
    await proves('money.report.above-hold', async () => {
      expect(usage.cost_usd).toBe(1.5);
      expect(await balance(fixture.gateway)).toMatchObject({ balance_usd: -0.5, held_usd: 0 });
    });
    expect((await fixture.gateway.search()).status).toBe(402);
    expect(fixture.exa.calls()).toBe(1);
  });

  test('if the reported cost cannot be a price, the listed price is charged', async () => {
    await using fixture = await open('1');
    const insane: unknown[] = [1e308, 9e9, 10.000_001, -1, -1e-9, 'free', null, {}, [1], true];
    for (const report of insane) {
      fixture.exa.answer(() => found(report));
      const { usage } = SearchResponse.parse(await (await fixture.gateway.search()).json());
      proves('money.report.insane', () => expect(usage.cost_usd).toBe(usualCostUsd));
    }
    const leftUsd = (1_000_000 - insane.length * 7000) / 1_000_000;
    await proves('money.report.insane', async () =>
      expect(await balance(fixture.gateway)).toMatchObject({ balance_usd: leftUsd, held_usd: 0 }),
    );
  });

  test('a request that could cost more than the ceiling gets a 400 that names the option', async () => {
    await using fixture = await openGatewayOnStore(engine, '1', {
      TRIVIUM_MAX_REQUEST_USD: '0.01',
    });
    const options = { engine_a: { type: 'deep', userLocation: 'DE' } };
    const refused = await fixture.gateway.search({}, { query: 'solar', provider_options: options });
    const { error } = ErrorEnvelope.parse(await refused.json());
    proves('money.amount.ceiling', () => {
      expect([refused.status, error.type]).toEqual([400, 'invalid_request']);
      expect(error.detail).toMatchObject({
        issues: [{ path: 'provider_options.engine_a.type', code: 'too_expensive' }],
      });
    });
    expect(error.message).toContain('at most 0.01 USD');
    expect(fixture.exa.calls()).toBe(0);
    expect((await fixture.gateway.search()).status).toBe(200);
  });

  test('the refusal of an extraction above the ceiling names the option, or else its pages', async () => {
    await using fixture = await openGatewayOnStore(engine, '1', {
      TRIVIUM_MAX_REQUEST_USD: '0.03',
    });
    const urls = Array.from({ length: 20 }, (_, at) => `https://pages.example/${at}`);
    const pathsOf = async (body: object) => {
      const refused = await fixture.gateway.ask('POST', '/v1/extract', { body });
      const { detail } = ErrorEnvelope.parse(await refused.json()).error;
      return (detail as { issues: { path: string }[] }).issues.map(({ path }) => path);
    };
    const providerOptions = { engine_a: { subpages: 5, livecrawlTimeout: 1000 } };
    expect(await pathsOf({ urls, provider_options: providerOptions })).toEqual([
      'provider_options.engine_a.subpages',
    ]);
    expect(await pathsOf({ urls, content: { summary: true } })).toEqual(['urls']);
    expect(fixture.exa.calls()).toBe(0);
  });

  test('a caller who disconnects while waiting in the queue of a provider pays nothing', async () => {
    const env = { TRIVIUM_PROVIDER_CONCURRENCY: '1', TRIVIUM_PROVIDER_QUEUE_MS: '60000' };
    await using fixture = await openGatewayOnStore(engine, '1', env);
    const finish = Promise.withResolvers<void>();
    fixture.exa.answer(async () => {
      await finish.promise;
      return found();
    });
    const first = fixture.gateway.search();
    await waitFor(async () => fixture.exa.calls() === 1, { what: 'the provider is called' });
    const client = new AbortController();
    const body = { query: 'solar' };
    const second = fixture.gateway
      .ask('POST', '/v1/search', { body, signal: client.signal })
      .catch(() => 'disconnected');
    await waitFor(async () => (await balance(fixture.gateway)).held_usd === 0.014, {
      what: 'both hold their cost',
    });
    client.abort();
    expect(await second).toBe('disconnected');
    await waitFor(async () => (await balance(fixture.gateway)).held_usd === 0.007, {
      what: 'one hold is released',
    });
    finish.resolve();
    expect((await first).status).toBe(200);
    await proves('money.left.before-call', async () => {
      expect(fixture.exa.calls()).toBe(1);
      expect(await balance(fixture.gateway)).toMatchObject({ balance_usd: 0.993, held_usd: 0 });
    });
  });
});

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
