// Transcriptions: requests, jobs, their states and results.
export const transcription = {
  // What a transcription may ask for, and which values are refused.
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
  // What happens to a transcription between its acceptance and its last read.
  'transcribe.accepted-202':
    'A valid request is answered with 202 at once, before the transcript exists.',
  'transcribe.accepted-body':
    'The 202 has id, tool, status, provider, model, warnings and created_at.',
  'jobs.warning-codes':
    'Transcription warns in the same shape and with the same three codes as search.',
  'transcribe.accepted-warnings-empty':
    'The warnings of the 202 are empty when the request was accepted exactly.',
  'transcribe.rate-limits-retried':
    'A rate limit of the provider delays the job and does not fail it.',
  'transcribe.uncertain-never-resent':
    'A submission of uncertain outcome is looked up and never sent again.',
  'transcribe.duplicate-never-charged': 'No job is ever charged twice.',
  'jobs.read-200': 'A known job is read with 200 in every state.',
  'jobs.failed-job-is-200':
    'A failed job is read with 200; the reason is in the job, not in an HTTP error.',
  'jobs.attempt-status-diagnoses': 'attempt_status shows where a job hangs.',
  'jobs.polling-suffices': 'A client can get every result by polling alone.',
  // The transcription job as a client reads it.
  'job.id': 'A job has the id that was returned when it was accepted.',
  'job.tool': 'The tool of a job is always transcription.',
  'job.status-values': 'The status is queued, running, completed or failed.',
  'job.provider-resolved': 'The provider of a job is a real service, also when auto was asked.',
  'job.model': 'A job names the model it runs on, or null.',
  'job.attempt-status-values': 'attempt_status is one of its six values.',
  'job.created-at': 'created_at is when the job was accepted, and never changes.',
  'job.updated-at': 'updated_at moves forward with every change of the job.',
  'job.finished-at-null-before': 'finished_at is null while the job is in progress.',
  'job.finished-at-set': 'finished_at is set once the job has completed or failed.',
  'job.result-only-when-completed': 'A job has a result only when it has completed.',
  'job.error-only-when-failed': 'A job has an error only when it has failed.',
  'job.every-field-present': 'A read always shows all eleven fields, null where there is no value.',
  'job.error-type-and-message': 'The error of a failed job has a type and a message.',
  'job.error-further-keys':
    'The error of a failed job may carry further keys, null values included.',
  // The transcript inside a completed job.
  'job-result.text-verbatim':
    'The text is the transcript as the provider wrote it, punctuation included.',
  'job-result.text-not-rebuilt': 'The text is never assembled from the words.',
  'job-result.language-shape':
    'The language is a tag of two or three letters with optional subtags.',
  'job-result.language-detected-or-asked':
    'The language is the one asked for, or else the one that was detected.',
  'job-result.duration': 'duration_seconds is the length the provider reported, never below zero.',
  'job-result.duration-left-out':
    'duration_seconds is left out when the provider reports no usable length.',
  'job-result.words': 'With word timestamps the result lists the words.',
  'job-result.words-left-out': 'With timestamps none the result has no words at all.',
  'job-result.provider': 'The result names the service that did the work.',
  'job-result.model': 'The result names the model, or null.',
  'job-result.usage': 'The usage of a result holds both cost_usd and credits.',
  'job-result.usage-needs-duration':
    'The usage is present in every result, and states what was charged.',
  'job-result.word-text': 'Every word has its text.',
  'job-result.word-times':
    'A word starts and ends in seconds from the start of the recording, never below zero.',
  'job-result.speaker-shape': 'A speaker is speaker_ and a number without leading zeros.',
  'job-result.speaker-only-when-asked':
    'Words carry a speaker when diarize was set, and only then.',
  'job-result.speaker-order':
    'Speakers are numbered from zero in the order in which they first speak.',
  'job-result.speaker-local': 'Speaker numbers start again with every transcript.',
  'job-result.confidence': 'A confidence is the figure of the provider, between 0 and 1.',
  // The state changes of a transcription job and of its attempts.
  'job-states.starts-queued': 'A job that was accepted starts as queued.',
  'job-states.attempt-recorded-first': 'The attempt is recorded before the provider is called.',
  'job-states.choice-persisted':
    'The chosen provider stays with the job, also when settings change later.',
  'job-states.queued-to-running': 'A queued job becomes running when work on it starts.',
  'job-states.running-to-completed':
    'A running job completes with a result, a finishing time and no error.',
  'job-states.running-to-failed':
    'A running job that the provider fails ends with an error and no result.',
  'job-states.running-to-failed-at-deadline':
    'A running job that reaches its deadline fails with a reason.',
  'job-states.no-other-move': 'No other move of the status ever happens.',
  'job-states.attempt-queued': 'The attempt is queued until it has been started.',
  'job-states.attempt-submitting': 'The attempt is submitting while it is sent to the provider.',
  'job-states.attempt-waiting': 'The attempt is waiting once the provider has accepted the audio.',
  'job-states.attempt-unknown':
    'The attempt is unknown while the outcome of a submission is not certain.',
  'job-states.attempt-completed': 'The attempt is completed when the transcript is there.',
  'job-states.attempt-failed': 'The attempt is failed when it ended without a transcript.',
} as const;
