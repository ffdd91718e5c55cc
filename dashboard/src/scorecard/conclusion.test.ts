// The sentence about a scorecard claims what the intervals show, and nothing more.
import { expect, test } from 'bun:test';
import { concludeScorecard } from './conclusion.ts';
import type { Compared } from './conclusion.ts';

const engine = (
  name: string,
  [lower, mean, upper]: readonly [number, number, number],
  price: number | null = 0.005,
  observations = 50,
): Compared => ({ name, lower, mean, upper, price, observations });
const exa = engine('Exa', [0.5, 0.55, 0.6], 0.007);
const conclude = (...engines: Compared[]) =>
  concludeScorecard(engines, 'agreement', 'on your queries');

test.each<[string, Compared[], string]>([
  [
    'different means whose intervals overlap',
    [exa, engine('Serper', [0.45, 0.5, 0.51], 0.001)],
    'Serper and Exa cannot be told apart on your queries; Serper costs a seventh.',
  ],
  [
    'intervals that only touch',
    [exa, engine('Serper', [0.4, 0.45, 0.5], 0.0012)],
    'Serper and Exa cannot be told apart on your queries; Serper costs about a sixth.',
  ],
  [
    'intervals apart, with a cheaper loser',
    [exa, engine('Serper', [0.4, 0.45, 0.4999], 0.001)],
    'Exa has a higher agreement than Serper on your queries; Serper costs a seventh.',
  ],
  [
    'intervals apart, with an expensive loser',
    [exa, engine('Serper', [0.4, 0.45, 0.49], 0.1)],
    'Exa has a higher agreement than Serper on your queries.',
  ],
  [
    'a tie at the same price',
    [exa, engine('Serper', [0.5, 0.55, 0.6], 0.007)],
    'Serper and Exa cannot be told apart on your queries; they cost the same.',
  ],
  [
    'a best engine that is the cheapest',
    [exa, engine('Serper', [0.5, 0.54, 0.6], 0.014)],
    'Serper and Exa cannot be told apart on your queries; Exa costs half.',
  ],
  [
    'a price of zero',
    [exa, engine('Serper', [0.5, 0.54, 0.6], 0)],
    'Serper and Exa cannot be told apart on your queries; Serper costs nothing.',
  ],
  [
    'two prices of zero',
    [engine('Exa', [0.5, 0.6, 0.7], 0), engine('Serper', [0.5, 0.54, 0.6], 0)],
    'Serper and Exa cannot be told apart on your queries; they cost the same.',
  ],
  [
    'an unknown price',
    [exa, engine('Serper', [0.5, 0.54, 0.6], null)],
    'Serper and Exa cannot be told apart on your queries.',
  ],
  [
    'prices that are not a simple part',
    [exa, engine('Serper', [0.5, 0.54, 0.6], 0.0045)],
    'Serper and Exa cannot be told apart on your queries; Serper costs 35 % less.',
  ],
  [
    'a price far below',
    [exa, engine('Serper', [0.5, 0.54, 0.6], 0.000_001)],
    'Serper and Exa cannot be told apart on your queries; Serper costs less than a tenth.',
  ],
  [
    'prices that hardly differ',
    [exa, engine('Serper', [0.5, 0.54, 0.6], 0.006_999)],
    'Serper and Exa cannot be told apart on your queries; Serper costs almost the same.',
  ],
  [
    // Brave and Serper can be told apart from each other, so they are compared only with the best.
    'two engines that overlap with the best and not with each other',
    [
      engine('Exa', [0.5, 0.7, 0.9], 0.01),
      engine('Brave', [0.51, 0.55, 0.6], 0.005),
      engine('Serper', [0.61, 0.65, 0.69], 0.001),
      engine('Linkup', [0.1, 0.2, 0.3], 0.0001),
    ],
    'Serper and Brave cannot be told apart from Exa on your queries; ' +
      'Serper costs a tenth of what Exa does; Linkup is behind Exa.',
  ],
  [
    'a best engine that none undercuts',
    [exa, engine('Brave', [0.5, 0.52, 0.6], 0.008), engine('Serper', [0.5, 0.51, 0.6], 0.007)],
    'Brave and Serper cannot be told apart from Exa on your queries; none of them costs less than Exa.',
  ],
])('%s', (_, engines, sentence) => expect(conclude(...engines)).toEqual([sentence]));

test('too little evidence says so, and names what is left out', () => {
  const few = engine('Serper', [0, 0.9, 1], 0.001, 9.9);
  const left = 'Not compared, with fewer than 10 observations: Serper.';
  const none = ['There is too little evidence to compare engines: each needs 10 observations.'];
  expect(conclude()).toEqual(none);
  expect(conclude(few)).toEqual(none);
  expect(conclude(exa, few)).toEqual([
    'Only Exa has 10 observations on your queries, so there is nothing to compare it with.',
    left,
  ]);
  const brave = engine('Brave', [0.5, 0.54, 0.6], 0.007, 10);
  expect(conclude(exa, few, brave)).toEqual([
    'Brave and Exa cannot be told apart on your queries; they cost the same.',
    left,
  ]);
});
