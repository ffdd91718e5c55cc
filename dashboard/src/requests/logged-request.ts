// Opens a request of the log in the playground, with the form filled in.
import type { RequestLine } from '@trivium/contract';

const mainFields: Readonly<Record<RequestLine['tool'], string>> = {
  search: 'query',
  extract: 'urls',
  transcription: 'audio_url',
};

/**
 * The address contains what the log keeps. The log does not keep all of a signed recording address.
 * Another engine does not get the native options of the one that was asked.
 */
export function playgroundAddress(
  request: Pick<RequestLine, 'tool' | 'asked' | 'parameters'>,
  engine?: string,
) {
  const { tool, asked, parameters } = request;
  const { provider, provider_options: options, ...others } = parameters ?? {};
  const query = new URLSearchParams({ tool });
  if (asked !== null && !asked.includes('…')) query.set(mainFields[tool], asked);
  for (const [path, value] of flatten(others)) query.set(path, value);
  const { panel, rest } = engine === undefined ? panelOf(provider, options) : {};
  if (panel !== undefined) {
    query.set('way', 'fusion');
    query.set('panel', panel.join(','));
  } else query.set('provider', engine ?? (typeof provider === 'string' ? provider : 'auto'));
  if (rest !== undefined) query.set('provider_options', JSON.stringify(rest));
  return `/playground?${query.toString()}`;
}

/** The form has a field for the panel of a fusion; other options are entered as JSON. */
function panelOf(
  provider: unknown,
  options: unknown,
): { panel?: readonly unknown[]; rest?: unknown } {
  if (provider !== 'fusion' || !isObject(options)) return { rest: options };
  const { fusion, ...others } = options;
  const { providers, ...more } = isObject(fusion) ? fusion : {};
  const rest = { ...others, ...(Object.keys(more).length === 0 ? {} : { fusion: more }) };
  return {
    panel: Array.isArray(providers) ? providers : [],
    ...(Object.keys(rest).length === 0 ? {} : { rest }),
  };
}

function flatten(value: object, before = ''): (readonly [path: string, text: string])[] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    const path = before + name;
    if (isObject(part)) return flatten(part, `${path}.`);
    return part === null ? [] : [[path, Array.isArray(part) ? part.join('\n') : String(part)]];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
