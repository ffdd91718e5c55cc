// Misspelt settings: refused where the right spelling is known, and noted otherwise.
import { expect, test } from 'bun:test';
import { findMisspelt } from './settings.ts';

const known = [
  'PORT',
  'TRIVIUM_SECRET',
  'TRIVIUM_SANDBOX',
  'EXA_API_KEY',
  'BRAVE_API_KEY',
  'TAVILY_API_KEY',
];
const find = (...names: string[]) => findMisspelt(names, known);

test.each([
  ['EXA_APIKEY', 'EXA_API_KEY'],
  ['exa_api_key', 'EXA_API_KEY'],
  ['EXAAPIKEY', 'EXA_API_KEY'],
  ['TRIVIUM_SECERT', 'TRIVIUM_SECRET'],
  ['TRIVIUM_SANDBOXX', 'TRIVIUM_SANDBOX'],
  ['TRIVIUMSANDBOX', 'TRIVIUM_SANDBOX'],
  ['TAVILY_KEY', 'TAVILY_API_KEY'],
  ['EXA_TOKEN', 'EXA_API_KEY'],
  ['TAVILLY_API_KEY', 'TAVILY_API_KEY'],
  ['EXA_API_KEYS', 'EXA_API_KEY'],
  ['brave_api_token', 'BRAVE_API_KEY'],
])('%s is refused, and %s is suggested', (typed, meant) => {
  expect(find(typed)).toEqual({
    faults: [`${typed} is not a setting. Did you mean ${meant}?`],
    unknown: [],
  });
});

test.each(['EXA_APIKEY', 'EXA_TOKEN'])(
  '%s beside the right name belongs to another program',
  (name) => {
    expect(find(name, 'EXA_API_KEY')).toEqual({ faults: [], unknown: [] });
  },
);

test('an unknown name that is close to none is only noted', () => {
  expect(find('TRIVIUM_COLOUR_OF_THE_SKY')).toEqual({
    faults: [],
    unknown: ['TRIVIUM_COLOUR_OF_THE_SKY'],
  });
});

test.each([
  ...['TRIVIUM_URL', 'TRIVIUM_API_KEY', 'TRIVIUM_SERVICE_HOST', 'TRIVIUM_PORT'],
  ...['TRIVIUM_PORT_8787_TCP_ADDR', 'HOME', 'EXA_API_KEY_OLD', 'constructor', '__proto__'],
  ...['EVA_API_KEY', 'OPENAI_API_KEY', 'BRAVE_BROWSER_TOKEN', 'EXA_KEY_FILE', 'GITHUB_TOKEN'],
])('%s is left alone', (name) => {
  expect(find(name)).toEqual({ faults: [], unknown: [] });
});
