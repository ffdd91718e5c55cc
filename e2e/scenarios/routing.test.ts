// Routing of `auto`: by price, latency and weight, and why in /v1/providers.
import { describe, expect, test } from 'bun:test';
import { ProvidersResponse } from '@trivium/contract';
import { sharedGateway, startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { interview } from '../jobs.ts';
import { ExtractAnswer, SearchAnswer } from '../shapes.ts';
import { waitFor } from '../wait-for.ts';

const search = async (gateway: Gateway, body: object = {}) =>
  SearchAnswer.parse((await gateway.post('/v1/search', { query: 'tides', ...body })).body);
const autoOf = async (gateway: Gateway) =>
  ProvidersResponse.parse((await gateway.get('/v1/providers')).body).auto;

describe('by price', () => {
  const gateway = sharedGateway({
    env: {
      TRIVIUM_AUTO_SEARCH_ROUTING: 'cheapest',
      TRIVIUM_AUTO_EXTRACT_ROUTING: 'cheapest',
      TRIVIUM_AUTO_TRANSCRIPTION_ROUTING: 'cheapest',
      TRIVIUM_DISABLED_PROVIDERS: 'engine_i',
    },
  });

  test('the cheapest provider of the request serves, and the order is explained', async () => {
    const { search: order, extract, transcription } = await autoOf(gateway());
    expect([order.routing, extract.routing]).toEqual(['cheapest', 'cheapest']);
    expect(order.order).toHaveLength(10);
    const prices = order.order.map(({ reason }) =>
      Number(/at most ([\d.e-]+) USD/.exec(reason)?.[1]),
    );
    expect(prices).toEqual(prices.toSorted((one, other) => one - other));
    const found = await search(gateway());
    expect(found.provider).toBe(order.order[0]?.provider ?? '');
    const body = { urls: ['https://gridlines.example/storage/solar-storage-guide'] };
    const read = ExtractAnswer.parse((await gateway().post('/v1/extract', body)).body);
    expect(read.provider).toBe(extract.order[0]?.provider ?? '');
    const job = await gateway().post('/v1/transcriptions', { audio_url: interview });
    expect((job.body as { provider: string }).provider).toBe(
      transcription.order[0]?.provider ?? '',
    );
  });
});

describe('by weight', () => {
  const gateway = sharedGateway({
    env: {
      TRIVIUM_AUTO_SEARCH_ROUTING: 'weighted',
      TRIVIUM_AUTO_SEARCH_WEIGHTS: 'engine_b=1, engine_c=3',
    },
  });

  test('providers with a weight share the requests, also those of the cache', async () => {
    const { search: order, extract } = await autoOf(gateway());
    expect(order.order.slice(0, 3)).toEqual([
      { provider: 'engine_c', reason: 'its weight is 3' },
      { provider: 'engine_b', reason: 'its weight is 1' },
      { provider: 'engine_a', reason: 'its weight is 0' },
    ]);
    expect(extract.routing).toBe('order');
    const served = new Set<string>();
    for (let round = 0; round < 60; round += 1) served.add((await search(gateway())).provider);
    expect([...served].toSorted()).toEqual(['engine_b', 'engine_c']);
    const cached = { 'x-trivium-cache': '600' };
    for (let round = 0; round < 10; round += 1) {
      const { status } = await gateway().post('/v1/search', { query: 'dunes' }, cached);
      expect(status).toBe(200);
    }
  });
});

// The measurements are rows of the request log, which server/test/store/latency.test.ts reads.
test('by latency, every provider is measured, the fastest serves, and a restart remembers it', async () => {
  await using gateway = await startGateway({
    env: {
      TRIVIUM_AUTO_SEARCH: 'engine_a,engine_b',
      TRIVIUM_AUTO_SEARCH_ROUTING: 'fastest',
    },
  });
  const before = await autoOf(gateway);
  expect(before.search.order.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('tried first'),
    expect.stringContaining('tried first'),
  ]);
  // A median is computed once a second, so requests continue until both are measured.
  const served = new Set<string>();
  const searchAndRead = async () => {
    served.add((await search(gateway)).provider);
    return (await autoOf(gateway)).search.order;
  };
  await waitFor(searchAndRead, {
    what: 'both are measured',
    until: (order) => order.every(({ reason }) => /took at most/.test(reason)),
  });
  expect([...served].toSorted()).toEqual(['engine_a', 'engine_b']);
  await gateway.restart();
  const { order } = (await autoOf(gateway)).search;
  const medians = order.map(({ reason }) => Number(/(\d+) ms/.exec(reason)?.[1]));
  expect(medians).toEqual(medians.toSorted((one, other) => one - other));
  expect((await search(gateway)).provider).toBe(order[0]?.provider ?? '');
});
