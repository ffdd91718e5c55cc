// Golden prices of an hour of audio, for every service, model and option; no price is zero by
// accident.
import { test } from 'bun:test';
import { TranscriptionRequest } from '@trivium/contract';
import { listPrices, providers } from '../src/providers/registry.ts';
import { optionsSent } from '../src/providers/shared/native-options.ts';
import { plannedAttempt, planTranscription } from '../src/transcription/transcribe.ts';
import type { TranscribePlan } from '../src/transcription/transcribe.ts';
import { providersWith } from './configured-providers.ts';
import { expect, proves } from '../../e2e/proves.ts';

type Id = 'stt_a' | 'stt_b' | 'stt_c';
type Asked = { diarize?: boolean; keyterms?: string[]; language?: string; options?: object };

const named = { stt_a: 'model', stt_b: 'model', stt_c: 'model_id' };

/** The hold of an hour, from the request to the price. */
function hour(id: Id, model: string, { options, ...asked }: Asked = {}, seconds = 3600): number {
  const plan = planFor(id, {
    ...asked,
    provider_options: { [id]: { [named[id]]: model, ...options } },
  });
  return costOf(plan, seconds);
}

function costOf(plan: TranscribePlan, seconds: number, ran: object = {}): number {
  const { product } = plan;
  const rates = listPrices[plan.provider]?.transcribe ?? {};
  const sent = optionsSent(product, plannedAttempt(plan));
  return product.price.cost({ ...ran, sent, seconds, rates });
}

function planFor(id: Id, asked: object): TranscribePlan {
  const audioUrl = 'https://example.org/a.mp3';
  const request = TranscriptionRequest.parse({ audio_url: audioUrl, provider: id, ...asked });
  return planTranscription(contextOf(id), id, request);
}

function contextOf(id: Id) {
  const configured = { provider: providers[id], state: 'configured' } as const;
  const clock = { now: () => new Date('2026-11-17T12:00:00Z') };
  return { providers: providersWith({ [id]: configured }), clock };
}

const keyterms = ['term'];
const diarize = true;
const golden: [Id, string, Asked, number][] = [
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
  ['stt_b', 'nova-3', { keyterms }, 338_000],
  ['stt_b', 'nova-3', { options: { language: 'multi' } }, 312_000],
  ['stt_b', 'nova-3', { options: { language: ['multi', 'en'] } }, 312_000],
  ['stt_b', 'nova-3-medical', { language: 'de' }, 312_000],
  ['stt_b', 'nova-3', { keyterms, options: { language: 'multi' } }, 392_000],
  ['stt_b', 'nova-3', { options: { keyterm: 'term' } }, 338_000],
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
  ['stt_a', 'universal-3-5-pro', { options: { speaker_labels: true } }, 230_000],
  ['stt_a', 'universal-3-5-pro', { diarize, options: { speaker_labels: false } }, 210_000],
  ['stt_a', 'universal-3-5-pro', { options: { keyterms_prompt: ['term'] } }, 260_000],
  ['stt_a', 'universal-3-5-pro', { options: { word_boost: ['term'] } }, 260_000],
  ['stt_a', 'universal-3-5-pro', { options: { prompt: 'A call' } }, 260_000],
  ['stt_a', 'universal-3-5-pro', { options: { domain: 'medical-v1' } }, 360_000],
  ['stt_a', 'universal-3-5-pro', { options: { entity_detection: true } }, 290_000],
  ['stt_a', 'universal-3-5-pro', { options: { sentiment_analysis: true } }, 230_000],
  ['stt_a', 'universal-3-5-pro', { options: { iab_categories: true } }, 360_000],
  ['stt_a', 'universal-3-5-pro', { options: { custom_topics: true, topics: ['a'] } }, 360_000],
  ['stt_a', 'universal-3-5-pro', { options: { auto_highlights: true } }, 220_000],
  ['stt_a', 'universal-3-5-pro', { options: { redact_pii: true } }, 290_000],
  [
    'stt_a',
    'universal-3-5-pro',
    { options: { redact_pii: true, redact_pii_audio: true, redact_pii_policies: ['drug'] } },
    340_000,
  ],
  ['stt_a', 'universal-3-5-pro', { options: { auto_chapters: true } }, 290_000],
  ['stt_a', 'universal-3-5-pro', { options: { summarization: true } }, 240_000],
  ['stt_a', 'universal-3-5-pro', { options: { content_safety: true } }, 360_000],
  ['stt_a', 'universal-3-5-pro', { options: { filter_profanity: true } }, 220_000],
  ['stt_a', 'universal-3-5-pro', { options: { speech_understanding: {} } }, 360_000],
  ['stt_a', 'universal-3-5-pro', { options: { new_feature: 1, other_feature: 1 } }, 360_000],
  ['stt_a', 'universal-3-5-pro', { options: { sentiment_analysis: false } }, 210_000],
  ['stt_a', 'universal-3-5-pro', { options: { multichannel: true } }, 420_000],
  ['stt_a', 'universal-2', { options: { speech_models: ['universal-3-5-pro'] } }, 210_000],
  ['stt_a', 'universal-3-5-pro', { options: { speech_models: ['universal-2'] } }, 150_000],
  [
    'stt_a',
    'universal-2',
    { options: { speech_models: ['universal-2', 'universal-3-pro'] } },
    210_000,
  ],
  ['stt_a', 'universal-2', { options: { speech_model: 'nano' } }, 210_000],
  ['stt_a', 'universal-2', { options: { speech_models: [] } }, 210_000],
  ['stt_b', 'nova-3', { options: { diarize: true, diarize_model: 'v1' } }, 258_000],
  ['stt_b', 'nova-3', { options: { redact: ['pci', 'ssn'] } }, 378_000],
  ['stt_b', 'nova-3', { options: { detect_entities: true } }, 360_000],
  ['stt_b', 'nova-3', { options: { summarize: 'v2' } }, 308_000],
  ['stt_b', 'nova-3', { options: { topics: true, custom_topic: 'a' } }, 308_000],
  ['stt_b', 'nova-3', { options: { intents: true, custom_intent: 'a' } }, 308_000],
  ['stt_b', 'nova-3', { options: { sentiment: true } }, 308_000],
  ['stt_b', 'nova-3', { options: { mip_opt_out: true } }, 498_000],
  ['stt_b', 'nova-3', { options: { new_feature: true } }, 378_000],
  ['stt_b', 'nova-3', { options: { multichannel: true } }, 516_000],
  ['stt_b', 'nova-3', { options: { multichannel: 'false', utterances: true } }, 258_000],
  ['stt_c', 'scribe_v2', { options: { keyterms: ['term'] } }, 270_000],
  ['stt_c', 'scribe_v2', { options: { diarize: true } }, 220_000],
  ['stt_c', 'scribe_v2', { options: { entity_detection: 'pii' } }, 290_000],
  [
    'stt_c',
    'scribe_v2',
    { options: { entity_detection: 'all', entity_redaction: ['pii'] } },
    356_000,
  ],
  ['stt_c', 'scribe_v2', { options: { transcript_edit: 'No names' } }, 286_000],
  ['stt_c', 'scribe_v2', { diarize, options: { detect_speaker_roles: true } }, 242_000],
  ['stt_c', 'scribe_v2', { options: { use_multi_channel: true } }, 440_000],
  ['stt_c', 'scribe_v2', { options: { new_feature: 'x' } }, 290_000],
  ['stt_c', 'scribe_v2', { options: { entity_detection: null, enable_logging: false } }, 220_000],
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

test('an edited transcript on stt_c is billed for at least ten seconds', () => {
  const edited = { options: { transcript_edit: 'No names' } };
  expect(hour('stt_c', 'scribe_v2', edited, 1)).toBe(795);
});

test('each channel is billed, as many as the vendor reports', () => {
  const split = { stt_a: 'multichannel', stt_b: 'multichannel', stt_c: 'use_multi_channel' };
  for (const id of ['stt_a', 'stt_b', 'stt_c'] as const) {
    const plan = planFor(id, { provider_options: { [id]: { [split[id]]: true } } });
    const one = costOf(planFor(id, {}), 3600);
    expect([1, 3, 5].map((channels) => costOf(plan, 3600, { channels }))).toEqual([
      one,
      3 * one,
      5 * one,
    ]);
    // Channels that were not requested cost nothing.
    expect(costOf(planFor(id, {}), 3600, { channels: 8 })).toBe(one);
  }
});

test('the caller pays for the model that ran, not for the one requested', () => {
  const plan = planFor('stt_a', { keyterms });
  expect(costOf(plan, 3600)).toBe(260_000);
  expect(costOf(plan, 3600, { model: 'universal-2' })).toBe(150_000);
});
