// Paying for requests through a whole gateway, on both engines: hold, settle, 402, and failures.
import { describe, test } from 'bun:test';
import { ErrorEnvelope, SearchResponse } from '@trivium/contract';
import { expect, proves } from '../../../e2e/proves.ts';
import { found, usualCostUsd } from '../exa-upstream.ts';
import { engines } from './engines.ts';
import { balance, openGatewayOnStore, sharedGatewayOnStore } from './gateway-on-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

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
