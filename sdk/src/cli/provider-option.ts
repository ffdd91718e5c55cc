// Providers on the command line: a person may type the vendor's name instead of the id.
import { idOfVendor, providerIds, toProviderId, typedName } from '@trivium/contract';
import { UsageError } from './command.ts';
import type { Option } from './command.ts';

/** The option for a choice of words such as auto, and of ids. */
export function providerOption(describe: string, choices: readonly string[]): Option {
  const ids = providerIds.filter((id) => choices.includes(id));
  const words = choices.filter((choice) => !ids.some((id) => id === choice));
  return {
    type: 'string',
    value: 'provider',
    describe,
    choices: [...words, ...ids.map(typedName), ...ids],
    read: toId,
  };
}

/** The id of a vendor's name; anything else stays, for the check that follows. */
export function toId(typed: string): string {
  return idOfVendor(typed) ?? typed;
}

/** Native options with ids as keys, whichever names were typed. */
export function withProviderIds(options: unknown): unknown {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return options;
  const seen = new Set<string>();
  const entries = Object.entries(options).map(([typed, value]: [string, unknown]) => {
    const id = toId(typed);
    if (seen.has(id)) throw new UsageError(`--options names ${id} twice, once as a vendor.`);
    seen.add(id);
    return [id, id === 'fusion' ? withPanelIds(value) : value] as const;
  });
  return Object.fromEntries(entries);
}

function withPanelIds(fusion: unknown): unknown {
  const { providers } = Object(fusion) as { providers?: unknown };
  if (!Array.isArray(providers)) return fusion;
  return { ...Object(fusion), providers: providers.map(toProviderId) } as object;
}
