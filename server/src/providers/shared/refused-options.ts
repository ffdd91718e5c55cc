// Native options that callers cannot set, each with what to do instead.

const ours = 'the gateway controls the transport; leave it out';
const recording = 'set audio_url of the request instead';

/** By their lower-case names. */
export type RefusedOptions = Readonly<Record<string, string>>;

export function listOf(names: string, advice: string): RefusedOptions {
  return Object.fromEntries(names.split(' ').map((name) => [name, advice]));
}

const everywhere = listOf('authorization api_key headers base_url', ours);

export const assemblyaiRefused: RefusedOptions = {
  ...everywhere,
  audio_url: recording,
  ...listOf('webhook_url webhook_auth_header_name webhook_auth_header_value', ours),
};

export const deepgramRefused: RefusedOptions = {
  ...everywhere,
  url: recording,
  ...listOf('callback callback_method tag extra token access_token project_id', ours),
};

export const elevenlabsRefused: RefusedOptions = {
  ...everywhere,
  ...listOf('source_url cloud_storage_url file file_format', recording),
  ...listOf('webhook webhook_id webhook_metadata token xi-api-key', ours),
};
