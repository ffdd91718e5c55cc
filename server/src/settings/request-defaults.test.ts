// The operator's defaults for parameters: checked at start.
import { expect, test } from 'bun:test';
import { providers } from '../providers/registry.ts';
import { readSettings, type Environment } from './settings.ts';

const read = (env: Environment) => readSettings(env, Object.values(providers)).request_defaults;

test('defaults are parameters of the tool, and faults are found at the start', () => {
  expect(read({})).toEqual({ search: undefined, extract: undefined, transcription: undefined });
  expect(
    read({
      TRIVIUM_DEFAULTS_SEARCH: '{"safe_search":"strict","locale":{"country":"de"}}',
      TRIVIUM_DEFAULTS_EXTRACT: '{"content":{"format":"text"}}',
      TRIVIUM_DEFAULTS_TRANSCRIPTION: '{"diarize":true}',
    }),
  ).toEqual({
    search: { safe_search: 'strict', locale: { country: 'de' } },
    extract: { content: { format: 'text' } },
    transcription: { diarize: true },
  });
  for (const [wrong, words] of [
    ['safe', 'must be a JSON object of parameters'],
    ['[1]', 'must be a JSON object of parameters'],
    ['{"safe_serch":"strict"}', 'is not valid: safe_serch'],
    ['{"max_results":0}', 'is not valid: max_results'],
    ['{"__proto__":{"max_results":5}}', 'is not valid'],
    ['{"query":"x"}', 'must not set query'],
    ['{"provider":"fusion"}', 'must not set provider'],
    ['{"strict":true}', 'must not set strict'],
  ] as const) {
    expect(() => read({ TRIVIUM_DEFAULTS_SEARCH: wrong })).toThrow(
      `TRIVIUM_DEFAULTS_SEARCH ${words}`,
    );
  }
});
