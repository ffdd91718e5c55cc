// What was decided about transcription jobs.
import type { Requirement } from '../requirement.ts';

export const decisionsTranscription = [
  {
    id: 'jobs.model-in-202',
    says: 'The model in the 202 is the one that is named to the provider.',
  },
  {
    id: 'jobs.raw.as-received',
    says: "What a provider returned for a completed job is read byte for byte at the job's raw.",
  },
  {
    id: 'jobs.raw.own-account',
    says: 'The raw document of a job does not exist for another account.',
  },
  {
    id: 'jobs.raw.counted',
    says: 'Raw documents count towards what their account stores.',
  },
  {
    id: 'jobs.raw.marked',
    says: 'The raw document of an incomplete transcript is marked.',
  },
  {
    id: 'jobs.sandbox.survive',
    says: 'In the sandbox jobs of every service survive a kill and a stop, without any setting.',
  },
  {
    id: 'jobs.stop.waits',
    says: 'A gateway that stops waits for synchronous transcriptions.',
  },
  {
    id: 'jobs.stop.logged',
    says: 'A synchronous transcription that a stopping gateway gives up is named in the log.',
  },
  {
    id: 'jobs.deadline.two-hours',
    says: 'The deadline is two hours after acceptance.',
  },
  {
    id: 'jobs.deadline.setting',
    says: 'The deadline is a setting of the operator.',
  },
  {
    id: 'jobs.error.provider-error',
    says: 'A provider that refuses or fails makes a provider_error.',
  },
  {
    id: 'jobs.error.reason-true',
    says: 'The reason of a failed job does not blame a provider that was never called.',
  },
  {
    id: 'jobs.error.audio-unreachable',
    says: 'A provider that cannot read the audio makes an audio_unreachable.',
  },
  {
    id: 'jobs.error.deadline-exceeded',
    says: 'A job out of time makes a deadline_exceeded.',
  },
  {
    id: 'jobs.error.submission-unknown',
    says: 'A submission whose outcome is unknown at the deadline makes a submission_unknown.',
  },
  {
    id: 'jobs.error.result-lost',
    says: 'Work that was done but cannot be fetched makes a result_lost.',
  },
  {
    id: 'jobs.error.extra-keys',
    says: 'The error carries provider_status, provider_code and retryable.',
  },
  {
    id: 'jobs.moves.normal',
    says: 'An attempt moves from queued through submitting and waiting to completed or failed.',
  },
  {
    id: 'jobs.moves.unknown',
    says: 'An unknown attempt comes from submitting and ends waiting, completed or failed.',
  },
  {
    id: 'jobs.moves.back-to-queued',
    says: 'An attempt returns to queued only if it is certain that nothing was accepted.',
  },
  {
    id: 'jobs.rate-limited',
    says: 'A rate-limited attempt is queued again, with backoff and Retry-After, until the deadline.',
  },
  {
    id: 'jobs.retention.deleted',
    says: 'Seven days after it finished a job and its transcript are deleted, then 404.',
  },
  {
    id: 'jobs.submit.synchronous',
    says: 'A synchronous submission runs for at most 15 minutes and never past the deadline.',
  },
  {
    id: 'jobs.callback.address',
    says: 'Providers call back at /callbacks/{provider}/{attempt}.',
  },
  {
    id: 'jobs.callback.stt-c',
    says: 'stt_c calls back at /callbacks/stt_c with the attempt in its metadata.',
  },
  {
    id: 'jobs.submit.status-table',
    says: 'What a submit status means is decided provider by provider.',
  },
  {
    id: 'jobs.language.mapped',
    says:
      "A language goes out in the vendor's own code; a region it does not take is left out with " +
      'param_approximated, and a language it does not have is param_ignored.',
  },
  {
    id: 'jobs.stt-c.without-id',
    says: 'What stt_c accepts without an id ends by its webhook or at its deadline.',
  },
  {
    id: 'jobs.language.refused',
    says: 'A language that stt_b refuses fails the job with the reason it gave, in plain text too.',
  },
  {
    id: 'jobs.keyterms.price-stt-c',
    says: 'Keyterms on stt_c add 0.05 USD an hour.',
  },
  {
    id: 'jobs.silence',
    says: 'Silence is completed with an empty text and no words.',
  },
  { id: 'jobs.malformed-id', says: 'A malformed job id gives a 400.' },
  { id: 'jobs.unknown-id', says: 'An unknown job id gives a 404.' },
] as const satisfies readonly Requirement[];
