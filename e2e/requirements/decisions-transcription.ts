// What was decided about transcription jobs.
export const decisionsTranscription = {
  'jobs.model-in-202': 'The model in the 202 is the one that is named to the provider.',
  'jobs.raw.as-received':
    "What a provider returned for a completed job is read byte for byte at the job's raw.",
  'jobs.raw.own-account': 'The raw document of a job does not exist for another account.',
  'jobs.raw.counted': 'Raw documents count towards what their account stores.',
  'jobs.raw.marked': 'The raw document of an incomplete transcript is marked.',
  'jobs.sandbox.survive':
    'In the sandbox jobs of every service survive a kill and a stop, without any setting.',
  'jobs.stop.waits': 'A gateway that stops waits for synchronous transcriptions.',
  'jobs.stop.logged':
    'A synchronous transcription that a stopping gateway gives up is named in the log.',
  'jobs.deadline.two-hours': 'The deadline is two hours after acceptance.',
  'jobs.deadline.setting': 'The deadline is a setting of the operator.',
  'jobs.error.provider-error': 'A provider that refuses or fails makes a provider_error.',
  'jobs.error.reason-true':
    'The reason of a failed job does not blame a provider that was never called.',
  'jobs.error.audio-unreachable':
    'A provider that cannot read the audio makes an audio_unreachable.',
  'jobs.error.deadline-exceeded': 'A job out of time makes a deadline_exceeded.',
  'jobs.error.submission-unknown':
    'A submission whose outcome is unknown at the deadline makes a submission_unknown.',
  'jobs.error.result-lost': 'Work that was done but cannot be fetched makes a result_lost.',
  'jobs.error.extra-keys': 'The error carries provider_status, provider_code and retryable.',
  'jobs.moves.normal':
    'An attempt moves from queued through submitting and waiting to completed or failed.',
  'jobs.moves.unknown':
    'An unknown attempt comes from submitting and ends waiting, completed or failed.',
  'jobs.moves.back-to-queued':
    'An attempt returns to queued only if it is certain that nothing was accepted.',
  'jobs.rate-limited':
    'A rate-limited attempt is queued again, with backoff and Retry-After, until the deadline.',
  'jobs.retention.deleted':
    'Seven days after it finished a job and its transcript are deleted, then 404.',
  'jobs.submit.synchronous':
    'A synchronous submission runs for at most 15 minutes and never past the deadline.',
  'jobs.callback.address': 'Providers call back at /callbacks/{provider}/{attempt}.',
  'jobs.callback.stt-c': 'stt_c calls back at /callbacks/stt_c with the attempt in its metadata.',
  'jobs.submit.status-table': 'What a submit status means is decided provider by provider.',
  'jobs.language.mapped':
    "A language goes out in the vendor's own code; a region it does not take is left out with param_approximated, and a language it does not have is param_ignored.",
  'jobs.stt-c.without-id':
    'What stt_c accepts without an id ends by its webhook or at its deadline.',
  'jobs.language.refused':
    'A language that stt_b refuses fails the job with the reason it gave, in plain text too.',
  'jobs.keyterms.price-stt-c': 'Keyterms on stt_c add 0.05 USD an hour.',
  'jobs.silence': 'Silence is completed with an empty text and no words.',
  'jobs.malformed-id': 'A malformed job id gives a 400.',
  'jobs.unknown-id': 'An unknown job id gives a 404.',
} as const;
