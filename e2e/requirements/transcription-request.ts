// What a transcription may ask for, and which values are refused.
import type { Requirement } from '../requirement.ts';

export const transcriptionRequest = [
  {
    id: 'transcription.accepts-only-known-keys',
    says: 'An unknown key at the top level of a request is refused.',
  },
  { id: 'transcription.audio-url.required', says: 'A transcription without audio_url is refused.' },
  { id: 'transcription.audio-url.https', says: 'An audio_url that is not https is refused.' },
  {
    id: 'transcription.audio-url.no-credentials',
    says: 'An audio_url with a user name or a password in it is refused.',
  },
  { id: 'transcription.audio-url.no-fragment', says: 'An audio_url with a fragment is refused.' },
  {
    id: 'transcription.audio-url.signed',
    says: 'A signed audio_url is accepted and reaches the provider unchanged.',
  },
  {
    id: 'transcription.provider.default-auto',
    says: 'A transcription that names no provider is served as auto.',
  },
  {
    id: 'transcription.language.pattern',
    says: 'A language that is not a language tag is refused.',
  },
  {
    id: 'transcription.language.native',
    says: 'A language reaches each of the three services natively.',
  },
  {
    id: 'transcription.language.detected',
    says: 'Without a language each of the three services detects it.',
  },
  { id: 'transcription.diarize.boolean', says: 'A diarize that is not a boolean is refused.' },
  {
    id: 'transcription.diarize.default-false',
    says: 'Speakers are not labelled unless diarize is set.',
  },
  {
    id: 'transcription.diarize.native',
    says: 'Each of the three services labels speakers.',
  },
  {
    id: 'transcription.diarize.price-stt-a',
    says: 'Diarization on stt_a adds 0.02 USD an hour.',
  },
  {
    id: 'transcription.diarize.price-stt-b',
    says: 'Diarization on stt_b is included in the price.',
  },
  { id: 'transcription.keyterms.strings', says: 'A keyterm that is not a string is refused.' },
  {
    id: 'transcription.keyterms.native-stt-a',
    says: 'stt_a supports keyterms on its models.',
  },
  {
    id: 'transcription.keyterms.newest-stt-b',
    says: 'stt_b supports keyterms only on its newest tier of models.',
  },
  {
    id: 'transcription.keyterms.newest-stt-c',
    says: 'stt_c supports keyterms only on its newest tier of models.',
  },
  {
    id: 'transcription.keyterms.price-stt-b',
    says: 'Keyterms on stt_b add 0.08 USD an hour.',
  },
  {
    id: 'transcription.keyterms.ignored',
    says: 'Keyterms on a model without them are ignored with a warning.',
  },
  {
    id: 'transcription.keyterms.strict',
    says: 'Keyterms on a model without them give a 400 under strict.',
  },
  { id: 'transcription.timestamps.values', says: 'timestamps is word or none.' },
  {
    id: 'transcription.timestamps.default-word',
    says: 'Word timings come back unless timestamps is none.',
  },
  {
    id: 'transcription.timestamps.native',
    says: 'Each of the three services gives word timings.',
  },
  { id: 'transcription.strict.boolean', says: 'A strict that is not a boolean is refused.' },
  {
    id: 'transcription.strict.default-false',
    says: 'Without strict an option that cannot be honoured is a warning.',
  },
  {
    id: 'transcription.strict.refused',
    says: 'Under strict, anything that would be a warning gives a 400, and nothing is submitted.',
  },
  {
    id: 'transcription.provider-options.keys',
    says: 'provider_options takes the keys stt_a, stt_b and stt_c, and no other.',
  },
  {
    id: 'transcription.provider-options.objects',
    says: 'The options of a service are an object whose values may be null.',
  },
  {
    id: 'transcription.provider-options.verbatim',
    says: 'The serving service receives its native options unchanged.',
  },
  {
    id: 'transcription.provider-options.model-stt-a',
    says: 'stt_a.model picks the model of stt_a.',
  },
  {
    id: 'transcription.provider-options.model-stt-b',
    says: 'stt_b.model picks the model of stt_b.',
  },
  {
    id: 'transcription.provider-options.model-stt-c',
    says: 'stt_c.model_id picks the model of stt_c.',
  },
  {
    id: 'transcription.provider-options.transport-refused',
    says: 'Addresses, callbacks and authentication cannot be set through options.',
  },
] as const satisfies readonly Requirement[];
