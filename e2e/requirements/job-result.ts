// The transcript inside a completed job.
import type { Requirement } from '../requirement.ts';

export const jobResult = [
  {
    id: 'job-result.text-verbatim',
    says: 'The text is the transcript as the provider wrote it, punctuation included.',
  },
  {
    id: 'job-result.text-not-rebuilt',
    says: 'The text is never assembled from the words.',
  },
  {
    id: 'job-result.language-shape',
    says: 'The language is a tag of two or three letters with optional subtags.',
  },
  {
    id: 'job-result.language-detected-or-asked',
    says: 'The language is the one asked for, or else the one that was detected.',
  },
  {
    id: 'job-result.duration',
    says: 'duration_seconds is the length the provider reported, never below zero.',
  },
  {
    id: 'job-result.duration-left-out',
    says: 'duration_seconds is left out when the provider reports no usable length.',
  },
  {
    id: 'job-result.words',
    says: 'With word timestamps the result lists the words.',
  },
  {
    id: 'job-result.words-left-out',
    says: 'With timestamps none the result has no words at all.',
  },
  {
    id: 'job-result.provider',
    says: 'The result names the service that did the work.',
  },
  {
    id: 'job-result.model',
    says: 'The result names the model, or null.',
  },
  {
    id: 'job-result.usage',
    says: 'The usage of a result holds both cost_usd and credits.',
  },
  {
    id: 'job-result.usage-needs-duration',
    says: 'The usage is present in every result, and states what was charged.',
  },
  { id: 'job-result.word-text', says: 'Every word has its text.' },
  {
    id: 'job-result.word-times',
    says: 'A word starts and ends in seconds from the start of the recording, never below zero.',
  },
  {
    id: 'job-result.speaker-shape',
    says: 'A speaker is speaker_ and a number without leading zeros.',
  },
  {
    id: 'job-result.speaker-only-when-asked',
    says: 'Words carry a speaker when diarize was set, and only then.',
  },
  {
    id: 'job-result.speaker-order',
    says: 'Speakers are numbered from zero in the order in which they first speak.',
  },
  {
    id: 'job-result.speaker-local',
    says: 'Speaker numbers start again with every transcript.',
  },
  {
    id: 'job-result.confidence',
    says: 'A confidence is the figure of the provider, between 0 and 1.',
  },
] as const satisfies readonly Requirement[];
