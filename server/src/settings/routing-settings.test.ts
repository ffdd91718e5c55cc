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

test.each([
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
