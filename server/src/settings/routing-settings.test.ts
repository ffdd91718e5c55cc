// The settings of routing: what is not a kind or a weight is refused by the name of its variable.
import { expect, test } from 'bun:test';
import { readSettings } from './settings.ts';

const routingOf = (env: Record<string, string>) => readSettings(env, []).auto_routing;

test('without settings the order is fixed, and all weights are equal', () => {
  const { search, extract, transcribe } = routingOf({});
  expect([search.kind, extract.kind, transcribe.kind]).toEqual(['order', 'order', 'order']);
  expect(transcribe.weights).toEqual({ stt_a: 1, stt_b: 1, stt_c: 1 });
});

test('weights are those that are listed', () => {
  const weights = 'engine_a=3, engine_b = 1,';
  expect(routingOf({ TRIVIUM_AUTO_SEARCH_WEIGHTS: weights }).search.weights).toEqual({
    engine_a: 3,
    engine_b: 1,
  });
});

test('lists accept the names of vendors', () => {
  const { auto_search, disabled_providers, auto_routing } = readSettings(
    {
      TRIVIUM_AUTO_SEARCH: 'Brave, exa,engine_c',
      TRIVIUM_DISABLED_PROVIDERS: 'ElevenLabs',
      TRIVIUM_AUTO_SEARCH_WEIGHTS: 'you.com=2,brave = 1',
    },
    [],
  );
  expect(auto_search).toEqual(['engine_d', 'engine_a', 'engine_c']);
  expect([...disabled_providers]).toEqual(['stt_c']);
  expect(auto_routing.search.weights).toEqual({ engine_j: 2, engine_d: 1 });
});

test.each([
  ['TRIVIUM_AUTO_SEARCH', 'exa,engine_a'],
  ['TRIVIUM_AUTO_SEARCH', 'deepgram'],
  ['TRIVIUM_AUTO_SEARCH_WEIGHTS', 'exa=1,engine_a=2'],
  ['TRIVIUM_AUTO_SEARCH_WEIGHTS', 'exa=1=2'],
  ['TRIVIUM_AUTO_SEARCH_ROUTING', 'random'],
  ['TRIVIUM_AUTO_EXTRACT_ROUTING', 'constructor'],
  ['TRIVIUM_AUTO_EXTRACT_ROUTING', 'quality'],
  ['TRIVIUM_AUTO_QUALITY_BAR', '1.1'],
  ['TRIVIUM_AUTO_QUALITY_EXPLORATION', '-0.1'],
  ['TRIVIUM_AUTO_QUALITY_EXPLORATION', 'some'],
  ['TRIVIUM_AUTO_SEARCH_WEIGHTS', 'engine_a=0'],
  ['TRIVIUM_AUTO_SEARCH_WEIGHTS', 'engine_a=-1'],
  ['TRIVIUM_AUTO_SEARCH_WEIGHTS', 'engine_a=1.5'],
  ['TRIVIUM_AUTO_SEARCH_WEIGHTS', 'engine_a=1001'],
  ['TRIVIUM_AUTO_SEARCH_WEIGHTS', 'engine_a=1e3'],
  ['TRIVIUM_AUTO_SEARCH_WEIGHTS', 'engine_a=1,engine_a=2'],
  ['TRIVIUM_AUTO_SEARCH_WEIGHTS', '__proto__=1'],
  ['TRIVIUM_AUTO_EXTRACT_WEIGHTS', 'engine_d=1'],
  ['TRIVIUM_AUTO_TRANSCRIPTION_WEIGHTS', 'stt_a'],
])('%s=%s is refused', (name, value) => {
  expect(() => routingOf({ [name]: value })).toThrow(name);
});
