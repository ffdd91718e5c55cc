// Native options that callers cannot set, each with what to do instead.

const ours = 'the gateway controls the transport; leave it out';
const recording = 'set audio_url of the request instead';

/** By their lower-case names. */
export type RefusedOptions = Readonly<Record<string, string>>;

export function listOf(names: string, advice: string): RefusedOptions {
  return Object.fromEntries(names.split(' ').map((name) => [name, advice]));
}

/** The options of a speech vendor that the gateway sets itself. */
export function refusedOptions(recordings: string, transport: string): RefusedOptions {
  const everywhere = 'authorization api_key headers base_url';
  return { ...listOf(recordings, recording), ...listOf(`${everywhere} ${transport}`, ours) };
}
