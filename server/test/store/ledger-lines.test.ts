// The lines of the ledger on both engines: what each was for, and the balance after it, also when
// the list is filtered or has several pages.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Account, type TransferLine, TransferList } from '@trivium/contract';
import { findNewer } from '../../src/billing/store/ledger.ts';
import { makeInsert } from './any-row.ts';
import { engines } from './engines.ts';
import { type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';

const account = 'acct_default';

describe.each(engines)('the ledger on $name', (engine) => {
  let fixture: GatewayOnStore;
  const admin = async (method: string, path: string, body?: object): Promise<unknown> =>
    (await fixture.gateway.admin(method, path, body)).json();
  const list = async (query: string): Promise<TransferList> =>
    TransferList.parse(await admin('GET', `/transfers?${query}`));

  beforeAll(async () => {
    fixture = await openGatewayOnStore(engine, '1');
    for (const query of ['solar', 'wind', 'tides']) {
      expect((await fixture.gateway.search({}, { query })).status).toBe(200);
      await admin('POST', `/accounts/${account}/topups`, { amount_usd: 0.5, reason: query });
    }
    const [charge] = (await list(`account_id=${account}&kind=settle`)).transfers;
    const refund = { request_id: charge?.request_id, amount_usd: 0.002, reason: 'unusable' };
    await admin('POST', `/accounts/${account}/refunds`, refund);
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test('each balance is the one of the line before plus the amount', async () => {
    const { transfers } = await list(`account_id=${account}`);
    expect(transfers).toHaveLength(8);
    const now = Account.parse(await admin('GET', `/accounts/${account}`));
    expect(transfers[0]?.balance_after_usd).toBe(now.balance_usd);
    let balance = 0;
    for (const line of transfers.toReversed()) {
      balance = Number((balance + line.amount_usd).toFixed(6));
      expect(line.balance_after_usd).toBe(balance);
    }
  });

  test('filters and pages do not change the balances', async () => {
    const { transfers: all } = await list(`account_id=${account}`);
    const balanceOf = (id: string) => all.find((line) => line.id === id)?.balance_after_usd;
    const seen: TransferLine[] = [];
    for (const filter of ['kind=topup', 'kind=settle', 'kind=refund']) {
      seen.push(...(await list(`account_id=${account}&${filter}`)).transfers);
    }
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: TransferList = await list(`account_id=${account}&limit=3${more}`);
      seen.push(...page.transfers);
      cursor = page.next_cursor;
    }
    expect(seen).toHaveLength(16);
    for (const line of seen) expect(line.balance_after_usd).toBe(balanceOf(line.id) ?? NaN);
  });

  test('lines before the latest 20,000 have no balance', async () => {
    const { database } = fixture.store;
    const insert = await makeInsert(database);
    await insert('accounts', { id: 'busy', posted: 20_001 });
    const line = { id: 't', account_id: 'busy', amount: 1, created_at: 1, kind: 'topup' };
    await insert('transfers', line, { count: 20_001 });
    const found = await findNewer(database, ['t_9999', 't_1'], 'busy', 1);
    expect([...found.keys()]).toEqual(['t_9999']);
  });

  test('a charge and its refund say what they were for', async () => {
    const { transfers } = await list(`account_id=${account}`);
    const charges = transfers.filter(({ kind }) => kind === 'settle');
    expect(charges.map(({ asked }) => asked)).toEqual(['tides', 'wind', 'solar']);
    for (const line of charges) {
      expect(line).toMatchObject({ tool: 'search', provider: 'engine_a' });
    }
    const refund = transfers.find(({ kind }) => kind === 'refund');
    expect(refund).toMatchObject({ tool: 'search', asked: 'tides' });
    expect(transfers.find(({ kind }) => kind === 'topup')).toMatchObject({
      tool: null,
      provider: null,
      asked: null,
    });
    for (const line of (await list('limit=500')).transfers) {
      expect(line.balance_after_usd).toBeNull();
    }
  });
});
