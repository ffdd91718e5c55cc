// Native options that callers cannot set, each with what to do instead: the transport of a
// transcription, and the pages of an extraction.

const ours = 'the gateway controls the transport; leave it out';
const unread = 'it replaces the page; only pages with an address are extracted';
const recording = 'set audio_url of the request instead';

/** By their lower-case names. */
export type RefusedOptions = Readonly<Record<string, string>>;

function listOf(names: string, advice: string): RefusedOptions {
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

/** The answer must belong to the pages of the request, because those are paid for. */
export const pageTargets: RefusedOptions = listOf(
  'urls url ids',
  'name the pages in urls of the request instead',
);

/** Jina's reader also accepts a whole document instead of an address. */
export const jinaPageTargets: RefusedOptions = { ...pageTargets, ...listOf('html pdf', unread) };
