// Providers on the command line: a person may type the vendor's name instead of the id.
import { idOfVendor, providerIds, typedName, unknownProvider } from '@trivium/contract';
import { UsageError } from './command.ts';
import type { Option } from './command.ts';
import { choiceOption } from './options.ts';
import { plain } from './style.ts';

/** The option for a provider: an id, or a word such as auto. */
export function providerOption(
  describe: string,
  choices: readonly string[],
  more?: Partial<Option>,
): Option {
  const ids = providerIds.filter((id) => choices.includes(id));
  const words = choices.filter((choice) => !ids.some((id) => id === choice));
  return choiceOption(describe, [...words, ...ids.map(typedName), ...ids], {
    value: 'provider',
    ...more,
    read: (typed) => {
      const id = toId(typed);
      if (choices.includes(id)) return id;
      const shown = plain(typed.slice(0, maxShownChars));
      throw new UsageError(`--provider ${shown}: ${unknownProvider(typed, choices)}`);
    },
  });
}

const maxShownChars = 60;

/** The id for a vendor's name; anything else is returned unchanged, to be checked later. */
export function toId(typed: string): string {
  return idOfVendor(typed) ?? typed;
}
