// Native options of the speech vendors that callers cannot set, each with what to do instead.

const ours = 'transport belongs to the gateway; leave it out';
const unpriced = 'it changes what is billed or returned and is not offered; leave it out';
const streaming = 'it is for streams or uploads, not for a recording by address; leave it out';
const field = (name: string) => `set ${name} of the request instead`;

type Refused = Readonly<Record<string, string>>;

const everywhere: Refused = {
  authorization: ours,
  api_key: ours,
  headers: ours,
  base_url: ours,
};

function listOf(names: string, advice: string): Refused {
  return Object.fromEntries(names.split(' ').map((name) => [name, advice]));
}

export const assemblyai_refused: Refused = {
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

export const deepgram_refused: Refused = {
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

export const elevenlabs_refused: Refused = {
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
