// What a transcription may ask for, and which values are refused.
export const transcriptionRequest = {
  'transcription.accepts-only-known-keys':
    'An unknown key at the top level of a request is refused.',
  'transcription.audio-url.required': 'A transcription without audio_url is refused.',
  'transcription.audio-url.https': 'An audio_url that is not https is refused.',
  'transcription.audio-url.no-credentials':
    'An audio_url with a user name or a password in it is refused.',
  'transcription.audio-url.no-fragment': 'An audio_url with a fragment is refused.',
  'transcription.audio-url.signed':
    'A signed audio_url is accepted and reaches the provider unchanged.',
  'transcription.provider.default-auto':
    'A transcription that names no provider is served as auto.',
  'transcription.language.pattern': 'A language that is not a language tag is refused.',
  'transcription.language.native': 'A language reaches each of the three services natively.',
  'transcription.language.detected': 'Without a language each of the three services detects it.',
  'transcription.diarize.boolean': 'A diarize that is not a boolean is refused.',
  'transcription.diarize.default-false': 'Speakers are not labelled unless diarize is set.',
  'transcription.diarize.native': 'Each of the three services labels speakers.',
  'transcription.diarize.price-stt-a': 'Diarization on stt_a adds 0.02 USD an hour.',
  'transcription.diarize.price-stt-b': 'Diarization on stt_b is included in the price.',
  'transcription.keyterms.strings': 'A keyterm that is not a string is refused.',
  'transcription.keyterms.native-stt-a': 'stt_a supports keyterms on its models.',
  'transcription.keyterms.newest-stt-b':
    'stt_b supports keyterms only on its newest tier of models.',
  'transcription.keyterms.newest-stt-c':
    'stt_c supports keyterms only on its newest tier of models.',
  'transcription.keyterms.price-stt-b': 'Keyterms on stt_b add 0.08 USD an hour.',
  'transcription.keyterms.ignored': 'Keyterms on a model without them are ignored with a warning.',
  'transcription.keyterms.strict': 'Keyterms on a model without them give a 400 under strict.',
  'transcription.timestamps.values': 'timestamps is word or none.',
  'transcription.timestamps.default-word': 'Word timings come back unless timestamps is none.',
  'transcription.timestamps.native': 'Each of the three services gives word timings.',
  'transcription.strict.boolean': 'A strict that is not a boolean is refused.',
  'transcription.strict.default-false':
    'Without strict an option that cannot be honoured is a warning.',
  'transcription.strict.refused':
    'Under strict, anything that would be a warning gives a 400, and nothing is submitted.',
  'transcription.provider-options.keys':
    'provider_options takes the keys stt_a, stt_b and stt_c, and no other.',
  'transcription.provider-options.objects':
    'The options of a service are an object whose values may be null.',
  'transcription.provider-options.verbatim':
    'The serving service receives its native options unchanged.',
  'transcription.provider-options.model-stt-a': 'stt_a.model picks the model of stt_a.',
  'transcription.provider-options.model-stt-b': 'stt_b.model picks the model of stt_b.',
  'transcription.provider-options.model-stt-c': 'stt_c.model_id picks the model of stt_c.',
  'transcription.provider-options.transport-refused':
    'Addresses, callbacks and authentication cannot be set through options.',
} as const;
