// Golden prices of an hour of audio, for every service, model and option; no price is zero by
// accident.
import { test } from 'bun:test';
import { TranscriptionRequest } from '@trivium/contract';
import { listPrices, providers } from '../src/providers/registry.ts';
import { optionsSent } from '../src/providers/shared/native-options.ts';
import { plannedAttempt, planTranscription } from '../src/transcription/transcribe.ts';
import type { TranscribePlan } from '../src/transcription/transcribe.ts';
import { providersWith } from './configured-providers.ts';
import { type AskedSpeech, readGoldenPrices } from './golden-prices.ts';
import { expect, proves } from '../../e2e/proves.ts';

const ids = ['stt_a', 'stt_b', 'stt_c'] as const;
type Id = (typeof ids)[number];

const named = { stt_a: 'model', stt_b: 'model', stt_c: 'model_id' };

/** The hold of an hour, from the request to the price. */
function hour(
  id: Id,
  model: string,
  { options, ...asked }: AskedSpeech = {},
  seconds = 3600,
): number {
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

test('an hour costs what the table says, option by option', () => {
  proves(
    [
      'transcription.diarize.price-stt-a',
      'transcription.diarize.price-stt-b',
      'transcription.keyterms.price-stt-b',
      'jobs.keyterms.price-stt-c',
    ],
    () => {
      for (const id of ids) {
        const golden = readGoldenPrices(id).hours_micro_usd ?? [];
        expect(golden).not.toBeEmpty();
        const hours = golden.map(([model, asked]) => [model, asked, hour(id, model, asked)]);
        expect<unknown>(hours).toEqual(golden);
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
  for (const id of ids) {
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
  const plan = planFor('stt_a', { keyterms: ['term'] });
  expect(costOf(plan, 3600)).toBe(260_000);
  expect(costOf(plan, 3600, { model: 'universal-2' })).toBe(150_000);
});
