// Native options that callers cannot set, each with what to do instead: the transport and the price
// of a transcription, and the pages of an extraction.

const ours = 'transport belongs to the gateway; leave it out';
const unpriced = 'it changes what is billed or returned and is not offered; leave it out';
const streaming = 'it is for streams or uploads, not for a recording by address; leave it out';
const unread = 'it stands in for the page; only pages by address are extracted';
const field = (name: string) => `set ${name} of the request instead`;

/** By their names in lower case. */
export type RefusedOptions = Readonly<Record<string, string>>;

const everywhere: RefusedOptions = {
  authorization: ours,
  api_key: ours,
  headers: ours,
  base_url: ours,
};

function listOf(names: string, advice: string): RefusedOptions {
  return Object.fromEntries(names.split(' ').map((name) => [name, advice]));
}

export const assemblyaiRefused: RefusedOptions = {
  ...everywhere,
  audio_url: field('audio_url'),
  ...listOf('webhook_url webhook_auth_header_name webhook_auth_header_value', ours),
  ...listOf('speech_model speech_models', 'set provider_options.stt_a.model instead'),
  ...listOf('language_code language_codes language_detection', field('language')),
  speaker_labels: field('diarize'),
  ...listOf('keyterms_prompt word_boost boost_param', field('keyterms')),
  ...listOf(
    'multichannel dual_channel redact_pii redact_pii_audio redact_pii_audio_quality ' +
      'redact_pii_policies redact_pii_sub redact_pii_audio_options redact_pii_return_unredacted ' +
      'entity_detection sentiment_analysis auto_chapters auto_highlights content_safety ' +
      'content_safety_confidence iab_categories summarization summary_model summary_type ' +
      'speech_understanding domain prompt',
    unpriced,
  ),
};

export const deepgramRefused: RefusedOptions = {
  ...everywhere,
  url: field('audio_url'),
  ...listOf('callback callback_method tag extra token access_token project_id', ours),
  ...listOf('language detect_language', field('language')),
  ...listOf('diarize diarize_model diarize_version', field('diarize')),
  keyterm: field('keyterms'),
  ...listOf(
    'encoding sample_rate channels interim_results endpointing vad_events utterance_end_ms ' +
      'no_delay',
    streaming,
  ),
  ...listOf(
    'multichannel alternatives redact detect_entities summarize topics intents sentiment ' +
      'custom_topic custom_topic_mode custom_intent custom_intent_mode mip_opt_out version',
    unpriced,
  ),
};

export const elevenlabsRefused: RefusedOptions = {
  ...everywhere,
  'xi-api-key': ours,
  ...listOf('file file_format', streaming),
  ...listOf('source_url cloud_storage_url', field('audio_url')),
  ...listOf('webhook webhook_id webhook_metadata token enable_logging', ours),
  language_code: field('language'),
  diarize: field('diarize'),
  keyterms: field('keyterms'),
  timestamps_granularity: field('timestamps'),
  ...listOf(
    'use_multi_channel multichannel_output_style entity_detection entity_redaction ' +
      'entity_redaction_mode transcript_edit detect_speaker_roles additional_formats',
    unpriced,
  ),
};

/** The answer must belong to the pages of the request, which are also those that are paid for. */
export const pageTargets: RefusedOptions = listOf(
  'urls url ids',
  'name the pages in urls of the request instead',
);

/** Its reader also takes a whole document in place of an address. */
export const jinaPageTargets: RefusedOptions = { ...pageTargets, ...listOf('html pdf', unread) };
