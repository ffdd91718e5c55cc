// The transcript inside a completed job.
export const jobResult = {
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
} as const;
