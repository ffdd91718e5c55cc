// Paying for requests through a whole gateway, on both engines: hold, settle, 402, and failures.
import { describe, expect, test } from 'bun:test';
import { ErrorEnvelope, SearchResponse } from '@trivium/contract';
import type { Balance } from '@trivium/contract';
import { proves } from '../../../e2e/verifies.ts';
import { found, usual_cost_usd } from '../exa-upstream.ts';
import { engines } from './engines.ts';
import { balance, eventually, openPlace } from './place.ts';

describe.each(engines)('on $name', (engine) => {
  test('a search takes its price from the balance and says so', async () => {
    await using place = await openPlace(engine, '1');
    const response = await place.gateway.search();
    const { usage } = SearchResponse.parse(await response.json());
    expect(usage).toEqual({ cost_usd: usual_cost_usd, credits: 7 });
    expect(await balance(place.gateway)).toEqual({
      balance_usd: 0.993,
      held_usd: 0,
      credits: 993,
    });
  });

  test('while the provider works, the most it can cost is held', async () => {
    await using place = await openPlace(engine, '1');
    const seen: Balance[] = [];
    place.exa.answer(async () => {
      seen.push(await balance(place.gateway));
      return found(0.001);
    });
    await place.gateway.search();
    expect(seen).toEqual([{ balance_usd: 0.993, held_usd: 0.007, credits: 993 }]);
    expect(await balance(place.gateway)).toMatchObject({ balance_usd: 0.999, held_usd: 0 });
  });

  test('without enough money it is a 402 with both figures, and nobody is called', async () => {
    await using place = await openPlace(engine, '0.006999');
    const response = await place.gateway.search();
    const { error } = ErrorEnvelope.parse(await response.json());
    expect(response.status).toBe(402);
    expect(error).toMatchObject({
      type: 'insufficient_credits',
      detail: { balance_usd: 0.006999, needed_usd: 0.007 },
    });
    expect(place.exa.calls()).toBe(0);
  });

  test('x-max-cost-usd below the hold is a 402, above it is no hindrance', async () => {
    await using place = await openPlace(engine, '1');
    const refused = await place.gateway.search({ 'x-max-cost-usd': '0.006999' });
    const { error } = ErrorEnvelope.parse(await refused.json());
    expect([refused.status, error.detail]).toEqual([
      402,
      { max_cost_usd: 0.006999, needed_usd: 0.007 },
    ]);
    expect(place.exa.calls()).toBe(0);
    expect((await place.gateway.search({ 'x-max-cost-usd': '0.007' })).status).toBe(200);
  });

  test('faults of headers and body are told together', async () => {
    await using place = await openPlace(engine, '1');
    const refused = await place.gateway.search({ 'x-max-cost-usd': '-1' }, { query: '' });
    const { error } = ErrorEnvelope.parse(await refused.json());
    expect(refused.status).toBe(400);
    expect(error.detail).toMatchObject({
      issues: [{ path: 'query' }, { path: 'x-max-cost-usd', code: 'invalid_format' }],
    });
  });

  test('a provider that fails costs nothing', async () => {
    await using place = await openPlace(engine, '1');
    place.exa.answer(() => Response.json({ error: 'no' }, { status: 500 }));
    expect((await place.gateway.search()).status).toBe(502);
    expect(await balance(place.gateway)).toMatchObject({ balance_usd: 1, held_usd: 0 });
  });

  test('a report above the hold is charged in full, below zero if need be, then 402', async () => {
    proves('money.report.above-hold');
    await using place = await openPlace(engine, '1');
    place.exa.answer(() => found(1.5));
    const { usage } = SearchResponse.parse(await (await place.gateway.search()).json());
    expect(usage.cost_usd).toBe(1.5);
    expect(await balance(place.gateway)).toMatchObject({ balance_usd: -0.5, held_usd: 0 });
    expect((await place.gateway.search()).status).toBe(402);
    expect(place.exa.calls()).toBe(1);
  });

  test('a report that cannot be a price is not charged: the table price is', async () => {
    proves('money.report.insane');
    await using place = await openPlace(engine, '1');
    const insane: unknown[] = [1e308, 9e9, 10.000_001, -1, -1e-9, 'free', null, {}, [1], true];
    for (const report of insane) {
      place.exa.answer(() => found(report));
      const { usage } = SearchResponse.parse(await (await place.gateway.search()).json());
      expect(usage.cost_usd).toBe(usual_cost_usd);
    }
    const left_usd = (1_000_000 - insane.length * 7000) / 1_000_000;
    expect(await balance(place.gateway)).toMatchObject({ balance_usd: left_usd, held_usd: 0 });
  });

  test('a request that may cost more than the ceiling is a 400 that names the option', async () => {
    proves('money.amount.ceiling');
    await using place = await openPlace(engine, '1', { TRIVIUM_MAX_REQUEST_USD: '0.01' });
    const options = { engine_a: { type: 'deep', userLocation: 'DE' } };
    const refused = await place.gateway.search({}, { query: 'solar', provider_options: options });
    const { error } = ErrorEnvelope.parse(await refused.json());
    expect([refused.status, error.type]).toEqual([400, 'invalid_request']);
    expect(error.detail).toMatchObject({
      issues: [{ path: 'provider_options.engine_a.type', code: 'too_expensive' }],
    });
    expect(error.message).toContain('at most 0.01 USD');
    expect(place.exa.calls()).toBe(0);
    expect((await place.gateway.search()).status).toBe(200);
  });

  test('of an extraction above the ceiling the option is named, or else its pages', async () => {
    await using place = await openPlace(engine, '1', { TRIVIUM_MAX_REQUEST_USD: '0.03' });
    const urls = Array.from({ length: 20 }, (_, at) => `https://pages.example/${at}`);
    const pathsOf = async (body: object) => {
      const refused = await place.gateway.ask('POST', '/v1/extract', { body });
      const { detail } = ErrorEnvelope.parse(await refused.json()).error;
      return (detail as { issues: { path: string }[] }).issues.map(({ path }) => path);
    };
    const provider_options = { engine_a: { subpages: 5, livecrawlTimeout: 1000 } };
    expect(await pathsOf({ urls, provider_options })).toEqual([
      'provider_options.engine_a.subpages',
    ]);
    expect(await pathsOf({ urls, content: { summary: true } })).toEqual(['urls']);
    expect(place.exa.calls()).toBe(0);
  });

  test('a caller who hangs up while it waits for room at the provider owes nothing', async () => {
    proves('money.left.before-call');
    const env = { TRIVIUM_PROVIDER_CONCURRENCY: '1', TRIVIUM_PROVIDER_QUEUE_MS: '60000' };
    await using place = await openPlace(engine, '1', env);
    const finish = Promise.withResolvers<void>();
    place.exa.answer(async () => {
      await finish.promise;
      return found();
    });
    const first = place.gateway.search();
    await eventually(async () => place.exa.calls() === 1);
    const leaving = new AbortController();
    const body = { query: 'solar' };
    const second = place.gateway
      .ask('POST', '/v1/search', { body, signal: leaving.signal })
      .catch(() => 'gone');
    await eventually(async () => (await balance(place.gateway)).held_usd === 0.014);
    leaving.abort();
    expect(await second).toBe('gone');
    await eventually(async () => (await balance(place.gateway)).held_usd === 0.007);
    finish.resolve();
    expect((await first).status).toBe(200);
    expect(place.exa.calls()).toBe(1);
    expect(await balance(place.gateway)).toMatchObject({ balance_usd: 0.993, held_usd: 0 });
  });

  test('a caller who hangs up after the provider was called pays, and is logged', async () => {
    proves('money.left.after-call');
    await using place = await openPlace(engine, '1');
    const reached = Promise.withResolvers<void>();
    place.exa.answer(async () => {
      reached.resolve();
      await Bun.sleep(200);
      return found();
    });
    const impatience = new AbortController();
    const body = { query: 'solar' };
    const asked = place.gateway.ask('POST', '/v1/search', { body, signal: impatience.signal });
    const gone = asked.catch(() => 'gone');
    await reached.promise;
    impatience.abort();
    expect(await gone).toBe('gone');
    await eventually(async () => (await balance(place.gateway)).held_usd === 0);
    expect(await balance(place.gateway)).toMatchObject({ balance_usd: 0.993, held_usd: 0 });
    const database = await place.bench.another();
    const rows = () => database.run('select status, cost, error_type from requests');
    await eventually(async () => (await rows()).length === 1);
    const [row] = await rows();
    expect([Number(row?.['status']), Number(row?.['cost']), row?.['error_type']]).toEqual([
      499,
      7000,
      null,
    ]);
    await database.close();
  });

  test('200 requests at once on money for 50 are exactly 50 answers and 150 refusals', async () => {
    await using place = await openPlace(engine, String(50 * usual_cost_usd));
    const responses = await Promise.all(Array.from({ length: 200 }, () => place.gateway.search()));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect(statuses.filter((status) => status === 402)).toHaveLength(150);
    expect(place.exa.calls()).toBe(50);
    expect(await balance(place.gateway)).toMatchObject({ balance_usd: 0, held_usd: 0 });
  });
});
