// One language has one spelling, whichever of its codes a caller or a vendor writes.
import { expect, test } from 'bun:test';
import { readLanguage } from './language.ts';

test('every code of a language is answered with its shortest', () => {
  const spellings: Record<string, string[]> = {
    en: ['en', 'EN', 'eng'],
    de: ['de', 'deu', 'ger'],
    fr: ['fra', 'fre'],
    zh: ['zh', 'zho', 'chi', 'cmn'],
    no: ['no', 'nor', 'nb', 'nob'],
    nn: ['nn', 'nno'],
    tl: ['tl', 'tgl', 'fil'],
    he: ['he', 'iw', 'heb'],
    jv: ['jv', 'jw', 'jav'],
    id: ['id', 'in', 'ind'],
    fa: ['fa', 'fas', 'per', 'pes'],
    haw: ['haw', 'HAW'],
    yue: ['yue'],
  };
  for (const [spelled, codes] of Object.entries(spellings)) {
    expect(codes.map(readLanguage)).toEqual(codes.map(() => spelled));
  }
});

test('regions and scripts are kept, in the case that is usual', () => {
  const tags = ['en_us', 'en_uk', 'EN-gb', 'de-ch', 'zh-HANT-tw', 'es-419', 'eng-US', 'fil-ph'];
  expect(tags.map(readLanguage)).toEqual([
    'en-US',
    'en-GB',
    'en-GB',
    'de-CH',
    'zh-Hant-TW',
    'es-419',
    'en-US',
    'tl-PH',
  ]);
});

test('what is no tag is no language, and what cannot stand behind a language is dropped', () => {
  const none = [null, undefined, '', 'x', 'english', 'multi', 'constructor', '__proto__', 'en--us'];
  expect(none.map(readLanguage)).toEqual(none.map(() => undefined));
  expect(readLanguage('en-12345678-12345678')).toBe('en');
  expect(readLanguage(`en${'-aaaaaaaa'.repeat(100_000)}`)).toBe('en');
});
