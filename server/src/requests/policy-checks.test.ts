// What a refusal by a policy says.
import { expect, test } from 'bun:test';
import { checkProviders } from './policy-checks.ts';

test.each([
  [[], 'none'],
  [['engine_b', 'engine_c'], 'engine_b, engine_c'],
] as const)('of the providers %p it says: %s', (providers, said) => {
  const words = `not allowed to use engine_a. It is allowed to use: ${said}.`;
  expect(() => checkProviders({ providers: [...providers] }, ['engine_a'])).toThrow(words);
});
