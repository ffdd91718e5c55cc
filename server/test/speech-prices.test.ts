// Golden prices of an hour of audio: every service, model and option, and no price that is zero by
// accident.
import { test } from 'bun:test';
import { listPrices } from '../src/providers/shared/list-prices.ts';
import { providers } from '../src/providers/registry.ts';
import { expect, proves } from '../../e2e/proves.ts';

type Id = 'stt_a' | 'stt_b' | 'stt_c';
type Options = { diarize?: boolean; keyterms?: string[]; language?: string };

function hour(id: Id, model: string, options: Options = {}, seconds = 3600): number {
  const product = providers[id].transcribe;
  const rates = listPrices[id]?.transcribe ?? {};
  const ask = { model, timestamps: 'word', ...options };
  return product?.price.cost({ ask, model, seconds, rates }) ?? 0;
}

const keyterms = ['term'];
const diarize = true;
const golden: [Id, string, Options, number][] = [
  ['stt_a', 'universal-3-5-pro', {}, 210_000],
  ['stt_a', 'universal-3-5-pro', { diarize }, 230_000],
  ['stt_a', 'universal-3-5-pro', { keyterms }, 260_000],
  ['stt_a', 'universal-3-5-pro', { diarize, keyterms }, 280_000],
  ['stt_a', 'universal-3-pro', {}, 210_000],
  ['stt_a', 'universal-2', {}, 150_000],
  ['stt_a', 'universal-2', { diarize, keyterms }, 170_000],
  ['stt_a', 'unheard-of', {}, 210_000],
  ['stt_a', 'diarize', {}, 210_000],
  ['stt_a', 'keyterms', {}, 210_000],
  ['stt_b', 'nova-3', {}, 258_000],
  ['stt_b', 'nova-3', { diarize }, 258_000],
  ['stt_b', 'nova-3-medical', { language: 'en' }, 258_000],
  ['stt_b', 'nova-3', { keyterms, language: 'en' }, 338_000],
  ['stt_b', 'nova-3', { keyterms }, 392_000],
  ['stt_b', 'nova-2-meeting', {}, 258_000],
  ['stt_b', 'whisper-large', {}, 288_000],
  ['stt_b', 'enhanced', {}, 870_000],
  ['stt_b', 'base-general', {}, 750_000],
  ['stt_b', 'nova-general', {}, 258_000],
  ['stt_b', 'unheard-of', {}, 870_000],
  ['stt_b', 'diarize', {}, 870_000],
  ['stt_b', 'keyterms-x', {}, 870_000],
  ['stt_b', 'constructor', {}, 870_000],
  ['stt_c', 'scribe_v2', {}, 220_000],
  ['stt_c', 'scribe_v2_medical', { diarize }, 220_000],
  ['stt_c', 'scribe_v2', { keyterms }, 270_000],
  ['stt_c', 'scribe_v1', {}, 220_000],
  ['stt_c', 'diarize', {}, 220_000],
  ['stt_c', '__proto__', {}, 220_000],
];

test('an hour costs what the table says, option by option', () => {
  proves(
    [
      'transcription.diarize.price-stt-a',
      'transcription.diarize.price-stt-b',
      'transcription.keyterms.price-stt-b',
      'jobs.keyterms.price-stt-c',
    ],
    () => {
      for (const [id, model, options, price] of golden) {
        expect([id, model, options, hour(id, model, options)]).toEqual([id, model, options, price]);
      }
    },
  );
});

test('time is charged by the second, and a fraction of a micro-dollar is rounded up', () => {
  expect(hour('stt_a', 'universal-3-5-pro', {}, 1)).toBe(59);
  expect(hour('stt_b', 'nova-3', {}, 11.834)).toBe(849);
  expect(hour('stt_c', 'scribe_v2', {}, 0)).toBe(0);
});

test('more than a hundred terms on stt_c are billed for at least twenty seconds', () => {
  const many = { keyterms: Array.from({ length: 101 }, (_, at) => `t${at}`) };
  expect(hour('stt_c', 'scribe_v2', many, 5)).toBe(1500);
  expect(hour('stt_c', 'scribe_v2', many, 60)).toBe(4500);
});
