// Provider ids and their vendors, without schemas, so that a page can load only this.
import { closest } from './closest.ts';

export const searchEngineIds = [
  'engine_a',
  'engine_b',
  'engine_c',
  'engine_d',
  'engine_e',
  'engine_f',
  'engine_g',
  'engine_h',
  'engine_i',
  'engine_j',
  'engine_k',
] as const;

/** In the order in which `auto` tries them. */
export const extractEngineIds = [
  'engine_a',
  'engine_c',
  'engine_b',
  'engine_e',
  'engine_f',
  'engine_g',
  'engine_h',
  'engine_i',
  'engine_j',
] as const;

export const transcriberIds = ['stt_a', 'stt_b', 'stt_c'] as const;

export const providerIds = [...searchEngineIds, ...transcriberIds] as const;

type ProviderId = (typeof providerIds)[number];

/** The API uses only ids; people know the vendors. */
export const providerNames = {
  engine_a: 'Exa',
  engine_b: 'Parallel',
  engine_c: 'Tavily',
  engine_d: 'Brave',
  engine_e: 'Serper',
  engine_f: 'Firecrawl',
  engine_g: 'Linkup',
  engine_h: 'Valyu',
  engine_i: 'Jina',
  engine_j: 'You.com',
  engine_k: 'Perplexity',
  stt_a: 'AssemblyAI',
  stt_b: 'Deepgram',
  stt_c: 'ElevenLabs',
} as const satisfies Readonly<Record<ProviderId, string>>;

/** The vendors' names as people type them, by id. */
export type VendorNames = {
  [Id in ProviderId]: (typeof providerNames)[Id] extends `${infer Name}.${string}`
    ? Lowercase<Name>
    : Lowercase<(typeof providerNames)[Id]>;
};

/** A readable label, such as "Exa (engine_a)"; any other word, such as fusion, is unchanged. */
export function providerLabel(id: string): string {
  const known = providerIds.find((one) => one === id);
  return known === undefined ? id : `${providerNames[known]} (${known})`;
}

/** Adds vendor names to the ids in a message, except to ids inside a path or in quotes. */
export function labelProviders(message: string): string {
  return message.replaceAll(/(?<![\w.("'`/])(?:engine|stt)_[a-z](?![\w"'`]|\.\w)/g, providerLabel);
}

/** The name as people type it: lower case, without the end of a domain. */
export function typedName(id: ProviderId): string {
  return providerNames[id].toLowerCase().split('.', 1)[0] ?? '';
}

/** The error for a provider that is none of these ids. Every client uses this text. */
export function unknownProvider(given: unknown, ids: readonly string[]): string {
  const list = `Must be one of: ${ids.join(', ')}.`;
  if (typeof given !== 'string' || given === '') return list;
  const meant = idOfVendor(given) ?? providerIds.find((id) => id === given);
  if (meant !== undefined) {
    const isChoice = ids.includes(meant);
    return `${list} ${isChoice ? `${providerNames[meant]} is ${meant}` : `${providerLabel(meant)} is not one of them`}.`;
  }
  const offered = providerIds.filter((id) => ids.includes(id));
  const near = closest(given.toLowerCase(), offered.map(typedName), maxTypos);
  const id = near === undefined ? undefined : idOfVendor(near);
  return id === undefined ? list : `${list} Did you mean ${providerLabel(id)}?`;
}

const maxTypos = 2;

/** The id for a vendor's name in any spelling, such as "ElevenLabs" or "eleven labs". */
export function idOfVendor(typed: string): ProviderId | undefined {
  if (typed.length > maxTypedChars) return undefined;
  const wanted = lettersOf(typed);
  return providerIds.find(
    (id) => wanted === typedName(id) || wanted === lettersOf(providerNames[id]),
  );
}

/** Replaces a vendor's name with its id, and returns every other value unchanged. */
export function toProviderId(typed: unknown): unknown {
  return typeof typed === 'string' ? (idOfVendor(typed) ?? typed) : typed;
}

/** Longer than any name. */
const maxTypedChars = 40;

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
