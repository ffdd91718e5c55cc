// The operator's API on both engines: accounts, money, keys with limits, and reports that add up.
import { describe, expect, test } from 'bun:test';
import {
  Account,
  ErrorEnvelope,
  KeyList,
  NewKey,
  RequestList,
  TransferLine,
  TransferList,
  UsageReport,
} from '@trivium/contract';
import { adminToken, type TestGateway } from '../gateway.ts';
import { engines } from './engines.ts';
import { sharedGatewayOnStore } from './gateway-on-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

describe.each(engines)('on $name', (engine) => {
  const open = sharedGatewayOnStore(engine);

  test('only the operator token is accepted, and an API key is not', async () => {
    await using fixture = await open('1');
    const { gateway } = fixture;
    const attempts = [`Bearer ${gateway.key}`, 'Bearer wrong', ''];
    for (const authorization of attempts) {
      const path = '/admin/v1/accounts';
      const response = await gateway.ask('GET', path, { headers: { authorization } });
      expect(response.status).toBe(401);
    }
    expect((await gateway.admin('GET', '/accounts')).status).toBe(200);
    expect((await gateway.admin('POST', '/webhooks/whk_none/test')).status).toBe(404);
    const headers = { authorization: `Bearer ${adminToken}` };
    expect((await gateway.ask('GET', '/v1/balance', { headers })).status).toBe(401);
  });

  test('an account is created, topped up, charged and listed', async () => {
    await using fixture = await open('1');
    const { gateway } = fixture;
    const made = await gateway.admin('POST', '/accounts', { name: 'Ada' });
    const account = Account.parse(await made.json());
    expect([made.status, account.name, account.balance_usd]).toEqual([201, 'Ada', 0]);
    const body = { amount_usd: 0.1, reason: 'invoice 7' };
    const line = TransferLine.parse(
      await (await gateway.admin('POST', `/accounts/${account.id}/topups`, body)).json(),
    );
    expect(line).toMatchObject({ kind: 'topup', amount_usd: 0.1, reason: 'invoice 7' });
    const { key } = await makeKey(gateway, account.id, { name: 'First' });
    const headers = { authorization: `Bearer ${key}` };
    expect((await gateway.search(headers)).status).toBe(200);
    const after = await gateway.admin('GET', `/accounts/${account.id}`);
    expect(Account.parse(await after.json()).balance_usd).toBe(0.093);
  });

  test('a top-up without an exact amount gets a 400 and moves no money', async () => {
    await using fixture = await open('1');
    const { account, gateway } = fixture;
    const body = { amount_usd: 0.0000001, reason: 'r' };
    const response = await gateway.admin('POST', `/accounts/${account}/topups`, body);
    const { error } = ErrorEnvelope.parse(await response.json());
    expect([response.status, error.detail]).toMatchObject([
      400,
      { issues: [{ code: 'not_exact' }] },
    ]);
    const lines = await gateway.admin('GET', `/transfers?account_id=${account}`);
    expect(TransferList.parse(await lines.json()).transfers).toHaveLength(1);
  });

  test('a key moves money once, and gets a 409 with any other body, path or account', async () => {
    await using fixture = await open('1');
    const { gateway } = fixture;
    const paid = async () => (await gateway.search()).headers.get('x-request-id');
    const [one, two] = [await paid(), await paid()];
    const posted = { amount_usd: 0.001, reason: 'r' };
    const changes = [{ amount_usd: 0.002 }, { reason: 's' }];
    const verbs = [
      ['topups', posted, changes],
      ['adjustments', posted, changes],
      ['refunds', { ...posted, request_id: one }, [...changes, { request_id: two }]],
    ] as const;
    const accounts = `/accounts/${fixture.account}`;
    const send = (name: string, path: string, body: object) =>
      gateway.admin('POST', path, body, { 'idempotency-key': name });
    for (const [verb, body, others] of verbs) {
      const path = `${accounts}/${verb}`;
      const first = await send(verb, path, body);
      const again = await send(verb, path, body);
      expect([first.status, await again.json()]).toEqual([201, await first.json()]);
      const refused = [
        ...others.map((other) => [path, { ...body, ...other }] as const),
        [`${accounts}/${verb === 'topups' ? 'adjustments' : 'topups'}`, posted] as const,
        [`/accounts/acct_other/${verb}`, body] as const,
        ['/accounts', { name: 'Other' }] as const,
      ];
      for (const [where, what] of refused) {
        expect([where, what, (await send(verb, where, what)).status]).toEqual([where, what, 409]);
      }
      // After a day only the ledger remembers the key.
      await fixture.store.database.run('delete from admin_answers');
      for (const other of others) {
        expect((await send(verb, path, { ...body, ...other })).status).toBe(409);
        await fixture.store.database.run('delete from admin_answers');
      }
    }
    const account = await gateway.admin('GET', accounts);
    expect(Account.parse(await account.json()).balance_usd).toBeCloseTo(1 - 0.014 + 0.003, 6);
    // A refused movement does not use up its key.
    expect(
      (await send('late', `${accounts}/adjustments`, { ...posted, amount_usd: -9 })).status,
    ).toBe(400);
    expect((await send('late', `${accounts}/adjustments`, posted)).status).toBe(201);
  });

  test('an adjustment takes at most what is available; unknown accounts get a 404', async () => {
    await using fixture = await open('1');
    const adjust = (amountUsd: number, id = fixture.account) =>
      fixture.gateway.admin('POST', `/accounts/${id}/adjustments`, {
        amount_usd: amountUsd,
        reason: 'r',
      });
    expect((await adjust(-1.000001)).status).toBe(400);
    expect((await adjust(-1)).status).toBe(201);
    expect((await adjust(1, 'acct_unknown')).status).toBe(404);
    expect((await adjust(0)).status).toBe(400);
  });

  test('caps, providers and expiry of a key apply, and changes take effect at once', async () => {
    await using fixture = await open('1');
    const { gateway } = fixture;
    const limits = { name: 'Agent', daily_cap_usd: 0.01, providers: ['engine_a'] };
    const { key, id } = await makeKey(gateway, fixture.account, limits);
    const headers = { authorization: `Bearer ${key}` };
    const status = async (body?: object) => (await gateway.search(headers, body)).status;
    const change = async (to: object) =>
      expect((await gateway.admin('PATCH', `/keys/${id}`, to)).status).toBe(200);
    expect(await status()).toBe(200);
    const capped = await gateway.search(headers);
    expect(ErrorEnvelope.parse(await capped.json()).error).toMatchObject({
      type: 'insufficient_credits',
      detail: { cap: 'daily', left_usd: 0.003, needed_usd: 0.007 },
    });
    await change({ daily_cap_usd: null });
    expect(await status()).toBe(200);
    await change({ providers: ['engine_b'] });
    const refused = await gateway.search(headers, { query: 'solar', provider: 'engine_a' });
    const { error } = ErrorEnvelope.parse(await refused.json());
    expect([refused.status, error.detail]).toMatchObject([400, { allowed: ['engine_b'] }]);
    await change({ providers: null, expires_at: '2020-01-01T00:00:00Z' });
    expect(await status()).toBe(401);
    await change({ expires_at: null, name: 'Renamed' });
    expect(await status()).toBe(200);
    expect((await gateway.admin('DELETE', `/keys/${id}`)).status).toBe(200);
    expect(await status()).toBe(401);
    expect((await gateway.admin('DELETE', `/keys/${id}`)).status).toBe(404);
    const listed = await gateway.admin('GET', `/accounts/${fixture.account}/keys`);
    const { keys } = KeyList.parse(await listed.json());
    expect(keys.find((one) => one.id === id)).toMatchObject({ name: 'Renamed' });
    expect(JSON.stringify(keys)).not.toContain(key);
  });

  test('of 50 concurrent requests on a key with a cap for 10, exactly 10 are paid', async () => {
    await using fixture = await open('10');
    const { key } = await makeKey(fixture.gateway, fixture.account, {
      name: 'k',
      monthly_cap_usd: 0.07,
    });
    const headers = { authorization: `Bearer ${key}` };
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => fixture.gateway.search(headers)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(fixture.exa.calls()).toBe(10);
  });

  test('lists have pages from newest to oldest, can be filtered, and agree with usage', async () => {
    await using fixture = await open('1');
    const { account, gateway } = fixture;
    const list = (query: string) => requests(gateway, `account_id=${account}&${query}`);
    for (let at = 0; at < 5; at += 1) await gateway.search();
    await gateway.search({}, { query: '' });
    const seen: string[] = [];
    let cursor: string | null = '';
    await waitFor(async () => (await list('')).requests.length === 6, {
      what: 'six requests are logged',
    });
    while (cursor !== null) {
      const cursorParameter: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: RequestList = await list(`limit=2${cursorParameter}`);
      seen.push(...page.requests.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(seen.toSorted().toReversed());
    expect(seen).toHaveLength(6);
    expect((await list('status=400')).requests).toHaveLength(1);
    expect((await list('outcome=refused')).requests).toHaveLength(1);
    expect((await list('outcome=served')).requests).toHaveLength(5);
    expect((await list('provider=engine_b')).requests).toHaveLength(0);
    expect((await list('from=2020-01-01&to=2020-12-31')).requests).toEqual([]);
    const day = new Date().toISOString().slice(0, 10);
    const usage = async (query: string) =>
      UsageReport.parse(
        await (await gateway.admin('GET', `/usage?account_id=${account}&${query}`)).json(),
      ).usage;
    const none = { failed: 0, failures: 0 };
    expect(await usage('by=day')).toEqual([
      { group: day, requests: 6, served: 5, refused: 1, ...none, cost_usd: 0.035 },
    ]);
    expect(await usage(`by=provider&from=${day}`)).toEqual([
      { group: '', requests: 1, served: 0, refused: 1, ...none, cost_usd: 0 },
      { group: 'engine_a', requests: 5, served: 5, refused: 0, ...none, cost_usd: 0.035 },
    ]);
    const settles = await gateway.admin(
      'GET',
      `/transfers?account_id=${account}&kind=settle&limit=3`,
    );
    const { transfers, next_cursor } = TransferList.parse(await settles.json());
    expect(transfers.map(({ amount_usd }) => amount_usd)).toEqual([-0.007, -0.007, -0.007]);
    expect(next_cursor).not.toBeNull();
    expect((await gateway.admin('GET', '/requests?cursor=nonsense')).status).toBe(400);
    expect((await gateway.admin('GET', '/requests?limit=0&colour=red')).status).toBe(400);
  });
});

async function makeKey(gateway: TestGateway, id: string, body: object): Promise<NewKey> {
  return NewKey.parse(await (await gateway.admin('POST', `/accounts/${id}/keys`, body)).json());
}

async function requests(gateway: TestGateway, query: string): Promise<RequestList> {
  return RequestList.parse(await (await gateway.admin('GET', `/requests?${query}`)).json());
}
