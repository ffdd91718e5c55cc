// Holds, settlements, refunds and top-ups.
import { test } from 'bun:test';
import { z } from 'zod';
import { startGateway, startGatewayProcess } from '../harness.ts';
import type { Gateway, GatewayOptions } from '../harness.ts';
import { ErrorAnswer, SearchAnswer } from '../shapes.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import type { Upstream } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };
const found = [{ url: 'https://example.org/', title: 'Example', highlights: ['words'] }];
const operatorToken = 'operator-token-of-the-scenarios-0123456789';
const Money = z.strictObject({
  balance_usd: z.number(),
  held_usd: z.number(),
  exposed_usd: z.number(),
  credits: z.number(),
});

test('the balance falls by exactly the cost in the answer, to the sixth decimal', async () => {
  await using upstream = startUpstream(() => exaAnswer(found, 0.0033333));
  await using gateway = await start(upstream, '1');
  const answer = await gateway.post('/v1/search', question);
  const { usage } = SearchAnswer.parse(answer.body);
  // A third of a micro-dollar is rounded up.
  proves(['money.cost-six-decimals', 'money.credits.fractional'], () =>
    expect(usage).toEqual({ cost_usd: 0.003334, credits: 3.334 }),
  );
  await proves(
    ['usage.cost-is-the-debit', 'surface.balance', 'money.micro-usd', 'money.hold.settled'],
    async () =>
      expect(await money(gateway)).toEqual({
        balance_usd: 0.996666,
        held_usd: 0,
        exposed_usd: 0,
        credits: 996.666,
      }),
  );
});

test('the maximum cost of a search is held while the provider works', async () => {
  let during: unknown;
  await using upstream = startUpstream(async () => {
    during = await money(gateway);
    return exaAnswer(found, 0.001);
  });
  await using gateway = await start(upstream, '1');
  await gateway.post('/v1/search', question);
  proves('money.hold.before-call', () =>
    expect(during).toMatchObject({ balance_usd: 0.993, held_usd: 0.007 }),
  );
});

test('a hold that the balance cannot cover gives a 402, and no provider is called', async () => {
  await using upstream = startUpstream(() => exaAnswer(found));
  await using gateway = await start(upstream, '0.000999');
  const extraction = { urls: ['https://example.org/'], provider: 'engine_a' };
  for (const [path, body, needed] of [
    ['/v1/search', question, 0.007],
    ['/v1/extract', extraction, 0.001],
  ] as const) {
    const answer = await gateway.post(path, body);
    const { error } = ErrorAnswer.parse(answer.body);
    proves(['money.hold.declined', 'errors.search.402', 'errors.extract.402'], () =>
      expect([path, answer.status, error.type]).toEqual([path, 402, 'insufficient_credits']),
    );
    expect(error.detail).toMatchObject({ balance_usd: 0.000999, needed_usd: needed });
  }
  proves('money.hold.declined-never-calls', () => expect(upstream.received).toEqual([]));
});

test('a provider that fails costs nothing', async () => {
  await using upstream = startUpstream(() => Response.json({ error: 'no' }, { status: 500 }));
  await using gateway = await start(upstream, '1');
  await proves('money.provider-failure-free', async () => {
    expect((await gateway.post('/v1/search', question)).status).toBe(502);
    expect(await money(gateway)).toMatchObject({ balance_usd: 1, held_usd: 0 });
  });
});

test('a debit is durable once its answer was received, even after a kill -9', async () => {
  await using upstream = startUpstream(() => exaAnswer(found, 0.002));
  await using gateway = await startGatewayProcess(optionsFor(upstream, '1'));
  expect((await gateway.post('/v1/search', question)).status).toBe(200);
  await gateway.kill9();
  await gateway.restart();
  await proves('money.debit-before-answer', async () =>
    expect(await money(gateway)).toMatchObject({ balance_usd: 0.998, held_usd: 0 }),
  );
});

test('without a report of the provider, a search costs what the price table says', async () => {
  await using upstream = startUpstream(() => Response.json({ results: found }));
  await using gateway = await start(upstream, '1');
  const answer = await gateway.post('/v1/search', { ...question, mode: 'instant' });
  proves('money.price.table', () =>
    expect(SearchAnswer.parse(answer.body).usage.cost_usd).toBe(0.004),
  );
});

test('x-max-cost-usd below the hold gives a 402 before any provider is called', async () => {
  await using upstream = startUpstream(() => exaAnswer(found));
  await using gateway = await start(upstream, '1');
  const limit = { 'x-max-cost-usd': '0.0069' };
  const answer = await gateway.post('/v1/search', question, limit);
  proves('calls.max-cost.refused', () =>
    expect([answer.status, upstream.received.length]).toEqual([402, 0]),
  );
  expect(ErrorAnswer.parse(answer.body).error.detail).toEqual({
    max_cost_usd: 0.0069,
    needed_usd: 0.007,
  });
  expect((await gateway.post('/v1/search', question, { 'x-max-cost-usd': '0.007' })).status).toBe(
    200,
  );
});

test('an idempotency key returns the first answer again, free, also after a crash', async () => {
  await using upstream = startUpstream(() => exaAnswer(found, 0.002));
  await using gateway = await startGatewayProcess(optionsFor(upstream, '1'));
  const key = { 'idempotency-key': 'order-1' };
  const first = await gateway.post('/v1/search', question, key);
  await gateway.kill9();
  await gateway.restart();
  const again = await gateway.post('/v1/search', question, key);
  proves('calls.idempotency.replayed', () => {
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
  await proves('calls.idempotency.charged-once', async () =>
    expect(await money(gateway)).toMatchObject({ balance_usd: 0.998 }),
  );
  const other = await gateway.post('/v1/search', { ...question, max_results: 3 }, key);
  const { error } = ErrorAnswer.parse(other.body);
  proves('calls.idempotency.other-body', () =>
    expect([other.status, error.type]).toEqual([409, 'invalid_request']),
  );
  expect(upstream.received).toHaveLength(1);
});

test('a repeated idempotency key gives a 409 while its first request runs', async () => {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await using upstream = startUpstream(async () => {
    reached.resolve();
    await released.promise;
    return exaAnswer(found);
  });
  await using gateway = await start(upstream, '1');
  const key = { 'idempotency-key': 'order-2' };
  const first = gateway.post('/v1/search', question, key);
  await reached.promise;
  await proves('calls.idempotency.running', async () =>
    expect((await gateway.post('/v1/search', question, key)).status).toBe(409),
  );
  released.resolve();
  expect((await first).status).toBe(200);
});

test('an operator tops up through the admin API, and the ledger keeps the reason', async () => {
  await using upstream = startUpstream(() => exaAnswer(found));
  await using gateway = await start(upstream, '0');
  const operator = { authorization: `Bearer ${operatorToken}` };
  const body = { amount_usd: 12.34, reason: 'invoice 2026-104' };
  const path = '/admin/v1/accounts/acct_default';
  expect((await gateway.post(`${path}/topups`, body)).status).toBe(401);
  const unexplained = await gateway.post(`${path}/topups`, { amount_usd: 1 }, operator);
  expect(unexplained.status).toBe(400);
  await proves(['surface.admin', 'money.top-up.admin-api'], async () => {
    expect((await gateway.post(`${path}/topups`, body, operator)).status).toBe(201);
    expect(await money(gateway)).toMatchObject({ balance_usd: 12.34 });
  });
  const lines = await gateway.get('/admin/v1/transfers', operator);
  proves('money.top-up.reason', () =>
    expect(lines.body).toMatchObject({
      transfers: [{ kind: 'topup', amount_usd: 12.34, reason: 'invoice 2026-104' }],
    }),
  );
});

test('the opening balance is 10 USD in the sandbox, 0 otherwise, and credited once', async () => {
  await using sandboxed = await startGateway({
    env: { TRIVIUM_BOOTSTRAP_BALANCE_USD: undefined },
  });
  await proves('settings.bootstrap-balance', async () =>
    expect(await money(sandboxed)).toMatchObject({ balance_usd: 10 }),
  );
  await sandboxed.restart();
  await proves('settings.bootstrap-balance.first-start-only', async () =>
    expect(await money(sandboxed)).toMatchObject({ balance_usd: 10 }),
  );
  await using upstream = startUpstream(() => exaAnswer(found));
  await using live = await start(upstream, undefined);
  await proves('settings.bootstrap-balance', async () =>
    expect(await money(live)).toMatchObject({ balance_usd: 0 }),
  );
  // A token from the settings is not printed: the command for the first money reads it itself.
  expect(live.printed()).toContain('TRIVIUM_ADMIN_TOKEN="$TRIVIUM_ADMIN_TOKEN" \\\n');
  expect(live.printed()).not.toContain(operatorToken);
});

function optionsFor(upstream: Upstream, balanceUsd: string | undefined): GatewayOptions {
  const env = { TRIVIUM_ADMIN_TOKEN: operatorToken, TRIVIUM_BOOTSTRAP_BALANCE_USD: balanceUsd };
  return { env: { ...upstream.env, ...env } };
}

function start(upstream: Upstream, balanceUsd: string | undefined): Promise<Gateway> {
  return startGateway(optionsFor(upstream, balanceUsd));
}

async function money(gateway: Gateway): Promise<z.infer<typeof Money>> {
  return Money.parse((await gateway.get('/v1/balance')).body);
}
