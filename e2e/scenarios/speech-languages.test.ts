// The languages of stt_b: what the adapter sends for a tag, and a comparison of its list with
// another source of what the vendor offers.
import { expect, test } from 'bun:test';
import { TranscriptionRequest } from '@trivium/contract';
import { isSpokenBy, nova3Languages as taken } from '../../sandbox/src/vendors/deepgram-wire.ts';
import { nova3Languages } from '../../server/src/providers/shared/speech-languages.ts';
import { optionsSent } from '../../server/src/providers/shared/native-options.ts';
import { providers } from '../../server/src/providers/registry.ts';
import { plannedAttempt, planTranscription } from '../../server/src/transcription/transcribe.ts';
import { providersWith } from '../../server/test/configured-providers.ts';

const configured = { provider: providers.stt_b, state: 'configured' } as const;
const clock = { now: () => new Date('2026-11-17T12:00:00Z') };
const context = { providers: providersWith({ stt_b: configured }), clock };

function planFor(asked: object) {
  const request = TranscriptionRequest.parse({ audio_url: 'https://example.org/a.mp3', ...asked });
  const plan = planTranscription(context, 'stt_b', request);
  const { language, detect_language } = optionsSent(plan.product, plannedAttempt(plan));
  const warned = plan.warnings.map(({ code, param }) => `${code} ${param}`);
  return { language, detects: detect_language === true, warned };
}

test('our list of the languages of nova-3 is that of the other source', () => {
  const sent = [...new Set(nova3Languages.values())];
  expect(sent.toSorted()).toEqual(
    taken()
      .filter((tag) => tag !== 'multi')
      .toSorted(),
  );
});

test('a region that nova-3 accepts is sent unchanged', () => {
  const regions = `pt-BR pt-PT sv-SE da-DK ko-KR nl-BE zh-HK zh-TW zh-Hant zh-CN zh-Hans th-TH en-US
    en-GB en-AU en-IN en-NZ pa-IN de-CH fr-CA es-419`;
  for (const language of regions.split(/\s+/)) {
    expect(planFor({ language })).toEqual({ language, detects: false, warned: [] });
  }
});

test('Cantonese is sent under the tag of Hong Kong, and another region as its language', () => {
  const near = ['param_approximated language'];
  for (const [asked, language, warned] of [
    ['yue', 'zh-HK', []],
    ['zh-Hant-HK', 'zh-HK', []],
    ['yue-HK', 'zh-HK', near],
    ['zh-Hant-MO', 'zh-Hant', near],
    ['pt-AO', 'pt', near],
    ['en-ZA', 'en', near],
    ['eng', 'en', []],
  ] as const) {
    expect([asked, planFor({ language: asked })]).toEqual([
      asked,
      { language, detects: false, warned: [...warned] },
    ]);
  }
});

test('the medical model gets English or several languages, with a warning', () => {
  const medical = { provider_options: { stt_b: { model: 'nova-3-medical' } } };
  expect(planFor({ ...medical, language: 'en-GB' })).toMatchObject({
    language: 'en-GB',
    warned: [],
  });
  for (const language of ['de', 'fr-CA', 'zh-HK', 'xx']) {
    expect(planFor({ ...medical, language })).toEqual({
      language: 'multi',
      detects: false,
      warned: ['param_approximated language'],
    });
  }
  expect(planFor({ ...medical, keyterms: ['stent'] })).toEqual({
    language: undefined,
    detects: true,
    warned: ['param_approximated keyterms'],
  });
  expect(isSpokenBy('nova-3-medical', 'de')).toBe(false);
  expect(['multi', 'en', 'en-GB'].map((tag) => isSpokenBy('nova-3-medical', tag))).toEqual([
    true,
    true,
    true,
  ]);
});

test('keyterms without a language are sent with detection, which costs no more', () => {
  expect(planFor({ keyterms: ['Harbor Point'] })).toEqual({
    language: undefined,
    detects: true,
    warned: [],
  });
});
