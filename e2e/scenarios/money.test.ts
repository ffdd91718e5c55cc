// Holds, settlements, refunds and top-ups.
import { afterAll, test } from 'bun:test';
import { z } from 'zod';
import { asOperator, makeAccount, operatorToken } from '../billing/small-account.ts';
import { sharedGateway, startGateway, startGatewayProcess } from '../harness.ts';
import type { Client } from '../http-client.ts';
import { ErrorAnswer, SearchAnswer } from '../shapes.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };
const found = [{ url: 'https://example.org/', title: 'Example', highlights: ['words'] }];
const Money = z.strictObject({
  balance_usd: z.number(),
  held_usd: z.number(),
  exposed_usd: z.number(),
  credits: z.number(),
});
const money = async (client: Client) => Money.parse((await client.get('/v1/balance')).body);

type Answer = () => Response | Promise<Response>;
let answer: Answer;
const upstream = startUpstream(() => answer());
afterAll(() => upstream[Symbol.asyncDispose]());
const env = { ...upstream.env, TRIVIUM_ADMIN_TOKEN: operatorToken };
const gateway = sharedGateway({ env });

/** A new account, over a vendor that answers like this. */
async function open(balanceUsd: number, given: Answer = () => exaAnswer(found)): Promise<Client> {
  answer = given;
  upstream.received.length = 0;
  return (await makeAccount(gateway(), balanceUsd)).on(gateway());
}

test('the balance falls by exactly the cost in the answer, to the sixth decimal', async () => {
  const client = await open(1, () => exaAnswer(found, 0.0033333));
  const { usage } = SearchAnswer.parse((await client.post('/v1/search', question)).body);
  // A third of a micro-dollar is rounded up.
  proves(
    [
      'money.cost-six-decimals',
      'money.credits.fractional',
      'usage.cost-is-the-provider-price',
      'money.price.own-report',
    ],
    () => expect(usage).toEqual({ cost_usd: 0.003334, credits: 3.334 }),
  );
  await proves(
    ['usage.cost-is-the-debit', 'surface.balance', 'money.micro-usd', 'money.hold.settled'],
    async () =>
      expect(await money(client)).toEqual({
        balance_usd: 0.996666,
        held_usd: 0,
        exposed_usd: 0,
        credits: 996.666,
      }),
  );
});

test('while the provider works the maximum cost is held, and its idempotency key gives a 409', async () => {
  const released = Promise.withResolvers<void>();
  const client = await open(1, async () => {
    await released.promise;
    return exaAnswer(found, 0.001);
  });
  const key = { 'idempotency-key': 'order-2' };
  const first = client.post('/v1/search', question, key);
  await upstream.receives(1);
  await proves('money.hold.before-call', async () =>
    expect(await money(client)).toMatchObject({ balance_usd: 0.993, held_usd: 0.007 }),
  );
  await proves('calls.idempotency.running', async () =>
    expect((await client.post('/v1/search', question, key)).status).toBe(409),
  );
  released.resolve();
  expect((await first).status).toBe(200);
});

test('a hold that the balance cannot cover gives a 402, and no provider is called', async () => {
  const client = await open(0.000999);
  const extraction = { urls: ['https://example.org/'], provider: 'engine_a' };
  for (const [path, body, needed] of [
    ['/v1/search', question, 0.007],
    ['/v1/extract', extraction, 0.001],
  ] as const) {
    const refused = await client.post(path, body);
    const { error } = ErrorAnswer.parse(refused.body);
    proves(['money.hold.declined', 'errors.search.402', 'errors.extract.402'], () =>
      expect([path, refused.status, error.type]).toEqual([path, 402, 'insufficient_credits']),
    );
    expect(error.detail).toMatchObject({ balance_usd: 0.000999, needed_usd: needed });
  }
  proves('money.hold.declined-never-calls', () => expect(upstream.received).toEqual([]));
});

test('a provider that fails costs nothing', async () => {
  const client = await open(1, () => Response.json({ error: 'no' }, { status: 500 }));
  await proves('money.provider-failure-free', async () => {
    expect((await client.post('/v1/search', question)).status).toBe(502);
    expect(await money(client)).toMatchObject({ balance_usd: 1, held_usd: 0 });
  });
});

test('without a report of the provider, a search costs what the price table says', async () => {
  const client = await open(1, () => Response.json({ results: found }));
  const { body } = await client.post('/v1/search', { ...question, mode: 'instant' });
  proves('money.price.table', () => expect(SearchAnswer.parse(body).usage.cost_usd).toBe(0.004));
});

test('x-max-cost-usd below the hold gives a 402 before any provider is called', async () => {
  const client = await open(1);
  const refused = await client.post('/v1/search', question, { 'x-max-cost-usd': '0.0069' });
  proves('calls.max-cost.refused', () =>
    expect([refused.status, upstream.received.length]).toEqual([402, 0]),
  );
  expect(ErrorAnswer.parse(refused.body).error.detail).toEqual({
    max_cost_usd: 0.0069,
    needed_usd: 0.007,
  });
  const enough = { 'x-max-cost-usd': '0.007' };
  expect((await client.post('/v1/search', question, enough)).status).toBe(200);
});

test('after a kill -9 the key works, a debit and its answer are there, and a replay is free', async () => {
  answer = () => exaAnswer(found, 0.002);
  upstream.received.length = 0;
  await using killed = await startGatewayProcess({
    env: { ...env, TRIVIUM_BOOTSTRAP_KEY: undefined, TRIVIUM_BOOTSTRAP_BALANCE_USD: '1' },
  });
  const key = { 'idempotency-key': 'order-1' };
  const first = await killed.post('/v1/search', question, key);
  expect(first.status).toBe(200);
  await killed.kill9();
  await killed.restart();
  await proves(['money.debit-before-answer', 'stop.kill-keeps-keys'], async () =>
    expect(await money(killed)).toMatchObject({ balance_usd: 0.998, held_usd: 0 }),
  );
  const again = await killed.post('/v1/search', question, key);
  proves('calls.idempotency.replayed', () => {
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
  await proves('calls.idempotency.charged-once', async () =>
    expect(await money(killed)).toMatchObject({ balance_usd: 0.998 }),
  );
  const other = await killed.post('/v1/search', { ...question, max_results: 3 }, key);
  proves('calls.idempotency.other-body', () =>
    expect([other.status, ErrorAnswer.parse(other.body).error.type]).toEqual([
      409,
      'invalid_request',
    ]),
  );
  expect(upstream.received).toHaveLength(1);
});

test('an operator tops up through the admin API, and the ledger keeps the reason', async () => {
  const { id, on } = await makeAccount(gateway(), 0);
  const body = { amount_usd: 12.34, reason: 'invoice 2026-104' };
  const path = `/admin/v1/accounts/${id}/topups`;
  expect((await gateway().post(path, body)).status).toBe(401);
  expect((await gateway().post(path, { amount_usd: 1 }, asOperator)).status).toBe(400);
  await proves(['surface.admin', 'money.top-up.admin-api'], async () => {
    expect((await gateway().post(path, body, asOperator)).status).toBe(201);
    expect(await money(on(gateway()))).toMatchObject({ balance_usd: 12.34 });
  });
  const lines = await gateway().get(`/admin/v1/transfers?account_id=${id}`, asOperator);
  proves('money.top-up.reason', () =>
    expect(lines.body).toMatchObject({
      transfers: [{ kind: 'topup', amount_usd: 12.34, reason: 'invoice 2026-104' }],
    }),
  );
});

test('the opening balance is 10 USD in the sandbox, 0 otherwise, and credited once', async () => {
  const noBalance = { TRIVIUM_BOOTSTRAP_BALANCE_USD: undefined };
  await using sandboxed = await startGateway({ env: noBalance });
  await proves('settings.bootstrap-balance', async () =>
    expect(await money(sandboxed)).toMatchObject({ balance_usd: 10 }),
  );
  await sandboxed.restart();
  await proves('settings.bootstrap-balance.first-start-only', async () =>
    expect(await money(sandboxed)).toMatchObject({ balance_usd: 10 }),
  );
  await using live = await startGateway({ env: { ...env, ...noBalance } });
  await proves('settings.bootstrap-balance', async () =>
    expect(await money(live)).toMatchObject({ balance_usd: 0 }),
  );
  // A token from the settings is not printed: the command for the first money reads it itself.
  expect(live.printed()).toContain('TRIVIUM_ADMIN_TOKEN="$TRIVIUM_ADMIN_TOKEN" \\\n');
  expect(live.printed()).not.toContain(operatorToken);
});
