// Countries and languages as vendors write them: those of their clients, and other spellings.
import { expect, test } from 'bun:test';
import { Country, Language } from '@youdotcom-oss/sdk/models';
import { languageOf as languageOfJina } from '../../src/providers/jina/adapter.ts';
import { commonCountries } from '../../src/providers/shared/rows.ts';
import { countryNames } from '../../src/providers/tavily/countries.ts';
import { languageOf as languageOfYou } from '../../src/providers/you/adapter.ts';

test('the countries and languages of You.com are those of its client', () => {
  expect([...commonCountries].toSorted()).toEqual(Object.values<string>(Country).toSorted());
  // Clients since 2.4.0 write `JA` for Japanese and refuse the `JP` of this one.
  const codes = Object.values<string>(Language).map((code) => (code === 'JP' ? 'JA' : code));
  for (const code of codes) expect(languageOfYou(code)).toBe(code);
});

test('languages with another spelling are translated, unknown ones are not sent', () => {
  const ofYou = ['ja', 'zh', 'pt', 'no', 'nb', 'de', 'uk', 'sw'].map(languageOfYou);
  expect(ofYou).toEqual(['JA', 'ZH-HANS', 'PT-BR', 'NB', 'NB', 'DE', 'UK', undefined]);
  const ofJina = ['he', 'jv', 'zh', 'nb', 'no', 'EN', 'tl', 'pt', 'xx'].map(languageOfJina);
  expect(ofJina).toEqual(['iw', 'jw', 'zh-cn', 'no', 'no', 'en', 'tl', 'pt', undefined]);
});

test('Tavily has the English names of countries, except for a few', () => {
  const english = new Intl.DisplayNames(['en'], { type: 'region' });
  const plain = (name: string) => name.toLowerCase().replace('&', 'and');
  const other = Object.entries(countryNames).filter(
    ([code, name]) => plain(english.of(code) ?? '') !== name,
  );
  const own = { CG: 'congo', CZ: 'czech republic', MM: 'myanmar', TR: 'turkey' };
  expect(Object.fromEntries(other)).toEqual(own);
  expect(Object.keys(countryNames)).toHaveLength(166);
});
