// POST /v1/feedback on both engines: feedback about a result counts once for the engines that found
// it, in any order, with repetitions and contradictions; and only for a search of the caller's own
// account, for seven days.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { FeedbackResponse, NewKey, SearchResponse } from '@trivium/contract';
import type { TestGateway } from '../gateway.ts';
import { cleanUp } from './clean-up.ts';
import { engines } from './engines.ts';
import { type GatewayOnSandbox, openGatewayOnSandbox } from './gateway-on-store.ts';
import type { TestStore } from './store-pool.ts';

const dayMs = 86_400_000;

describe.each(engines)('on $name', (engine) => {
  let on: GatewayOnSandbox;
  let store: TestStore;
  let gateway: TestGateway;

  const search = async (fields: object = {}, key = gateway.key, headers = {}) => {
    const response = await gateway.ask('POST', '/v1/search', {
      body: { query: 'solar energy storage', provider: 'engine_a', ...fields },
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    return SearchResponse.parse(await response.json());
  };
  const send = (body: unknown, key = gateway.key) =>
    gateway.ask('POST', '/v1/feedback', { body, headers: { authorization: `Bearer ${key}` } });
  const say = async (body: object, key?: string) => {
    const response = await send(body, key);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
    const { search_id: _id, ...known } = FeedbackResponse.parse(JSON.parse(text));
    return known;
  };
  const counted = async (where: string) => {
    const rows = await store.database.run(
      `select engine, observations, quality, calls, useful, cost from quality_days
       where source = 'feedback' and ${where} order by engine`,
    );
    return rows.map((row) => [
      row['engine'],
      ...['observations', 'quality', 'calls', 'useful'].map((name) => Number(row[name])),
    ]);
  };

  beforeAll(async () => {
    on = await openGatewayOnSandbox(engine);
    ({ gateway, store } = on);
  });

  afterAll(() => on[Symbol.asyncDispose]());

  test('a result counts once, by its newest verdict, whether it is named by id or by URL', async () => {
    const { id, results } = await search({ locale: { language: 'DE' } });
    const [first, second] = results;
    const german = `language = 'de'`;
    const citation = { search_id: id, cited: [first?.id] };
    const cited = { cited: 1, opened: 0, rejected: 0, unknown: [] };
    expect(await say(citation)).toEqual(cited);
    expect(await say(citation)).toEqual(cited);
    expect(await counted(german)).toEqual([['engine_a', 1, 1_000_000, 1, 1]]);
    // Another spelling of the address is the same page.
    const again = { search_id: id, rejected: [`${first?.url}#part`], opened: [second?.url] };
    expect(await say(again)).toEqual({ cited: 0, opened: 1, rejected: 1, unknown: [] });
    // Half of the weight of the second place, minus a quarter of that of the first.
    const quality = Math.round((0.5 / Math.log2(3) - 0.25) * 1e6);
    expect(await counted(german)).toEqual([['engine_a', 1, quality, 1, 1]]);
    const both = {
      search_id: id,
      cited: [first?.id, second?.id],
      rejected: [first?.id, second?.id],
    };
    expect(await say(both)).toEqual({ cited: 0, opened: 0, rejected: 0, unknown: [] });
    expect(await counted(german)).toEqual([['engine_a', 0, 0, 0, 0]]);
  });

  test('concurrent messages count as if they came one after the other', async () => {
    const { id, results } = await search({ freshness: 'year' });
    const said = results.slice(0, 4).map((one) => say({ search_id: id, opened: [one.id] }));
    await Promise.all([
      ...said,
      ...results.slice(0, 4).map((one) => say({ search_id: id, opened: [one.id] })),
    ]);
    const quality = Math.min(
      1,
      [2, 3, 4, 5].reduce((sum, at) => sum + 0.5 / Math.log2(at), 0),
    );
    const [row] = await counted(`freshness = 'year'`);
    expect(row?.slice(0, 4)).toEqual(['engine_a', 1, Math.round(quality * 1e6), 1]);
    expect(row?.[4]).toBe(4);
  });

  test('a fusion counts for each member that found the page, by its rank there', async () => {
    const options = { fusion: { providers: ['engine_a', 'engine_c', 'engine_d'] } };
    const { id, results } = await search({
      ...{ provider: 'fusion', provider_options: options, category: 'news' },
    });
    const shared = results.find(({ score = 0 }) => score > 1);
    await say({ search_id: id, cited: [shared?.id] });
    const rows = await counted(`category = 'news'`);
    expect(rows.length).toBe(shared?.score ?? 0);
    for (const [, observations, quality] of rows) {
      expect(observations).toBe(1);
      expect(Number(quality)).toBeGreaterThan(0);
    }
  });

  test('feedback about a cached answer counts too', async () => {
    const cached = { 'x-trivium-cache': '3600' };
    await search({ query: 'cached pages' }, gateway.key, cached);
    const { id, results } = await search({ query: 'cached pages' }, gateway.key, cached);
    expect(await say({ search_id: id, cited: [results[0]?.id] })).toMatchObject({ cited: 1 });
  });

  test('ids that are not results of the search are listed and count nothing', async () => {
    const { id } = await search({ category: 'people' });
    const unknown = [`res_${'0'.repeat(16)}`, 'https://never.example/found'];
    expect(await say({ search_id: id, cited: unknown })).toEqual({
      ...{ cited: 0, opened: 0, rejected: 0 },
      unknown,
    });
    expect(await counted(`category = 'people'`)).toEqual([]);
  });

  test('a search of another account, or of another key for its own use only, gets a 404', async () => {
    const { id, results } = await search();
    const theirs = await gateway.newAccount({}, { own_use_only: true });
    const cited = [results[0]?.id];
    for (const searchId of [id, `srch_${'0'.repeat(32)}`]) {
      expect((await send({ search_id: searchId, cited }, theirs.key)).status).toBe(404);
    }
    const made = await gateway.admin('POST', '/accounts/acct_default/keys', {
      ...{ name: 'Own', own_use_only: true },
    });
    const own = NewKey.parse(await made.json()).key;
    expect((await send({ search_id: id, cited }, own)).status).toBe(404);
    expect((await send({ search_id: (await search({}, own)).id, cited }, own)).status).toBe(200);
  });

  test('feedback ends after seven days, its row is deleted a day later, and the counts stay', async () => {
    const { id, results } = await search({ category: 'research' });
    const body = { search_id: id, cited: [results[0]?.id] };
    expect((await send(body)).status).toBe(200);
    const request = `req_${id.slice('srch_'.length)}`;
    const age = (days: number) =>
      store.database.run('update requests set created_at = $2 where id = $1', [
        request,
        Date.now() - days * dayMs,
      ]);
    await age(6.9);
    expect((await send(body)).status).toBe(200);
    await age(7.1);
    const late = await send(body);
    expect([late.status, await late.text()]).toEqual([
      409,
      expect.stringContaining('older than 7 days'),
    ]);
    await cleanUp(store.database, { request_log_days: 30 }, Date.now() + 8.1 * dayMs);
    expect(await store.database.run('select request_id from feedback')).toEqual([]);
    expect(await counted(`category = 'research'`)).toEqual([['engine_a', 1, 1_000_000, 1, 1]]);
  });

  test('an account that keeps no queries keeps no results', async () => {
    const { key, id: account_id } = await gateway.newAccount({ keep_query_hours: 0 });
    const { id, results } = await search({}, key);
    const refused = await send({ search_id: id, cited: [results[0]?.id] }, key);
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('its results are not kept'),
    ]);
    const [row] = await store.database.run('select detail from requests where account_id = $1', [
      account_id,
    ]);
    expect(String(row?.['detail'])).not.toContain('"r"');
  });

  test('rate limits and policies apply to feedback', async () => {
    const { key } = await gateway.newAccount({ requests_per_minute: 3 });
    const { id, results } = await search({}, key);
    const body = { search_id: id, cited: [results[0]?.id] };
    const statuses = [];
    for (let sent = 0; sent < 8; sent += 1) statuses.push((await send(body, key)).status);
    // A minute may end in between, but not two.
    expect(statuses).toContain(429);
    const other = await gateway.newAccount({ tools: ['extract'] });
    expect(await (await send(body, other.key)).text()).toContain('not allowed to use search');
  });

  test('feedback without a search or a result is refused', async () => {
    const { id } = await search();
    for (const body of [{ search_id: id }, { search_id: 'srch_', cited: ['https://a.example/'] }]) {
      expect((await send(body)).status).toBe(400);
    }
  });
});
