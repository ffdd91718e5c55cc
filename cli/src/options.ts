// How a command declares its options, and the fields of a request that they set.
import { idOfVendor, providerIds, typedName, unknownProvider } from '@trivium/contract';
import { type Option, type Options, type ParsedArguments, UsageError } from './command.ts';
import { plain } from './style.ts';

type More = Partial<Option>;

export function flagOption(describe: string, more?: More): Option {
  return { type: 'boolean', describe, ...more };
}

/** `value` is the name of the value in the help. */
export function textOption(value: string, describe: string, more?: More): Option {
  return { type: 'string', value, describe, ...more };
}

export function numberOption(value: string, describe: string, more?: More): Option {
  return { ...textOption(value, describe, more), isNumber: true };
}

export function choiceOption(describe: string, choices: readonly string[], more?: More): Option {
  return { type: 'string', describe, choices, ...more };
}

/** Only those that were given; the gateway checks the values. */
export function fieldsOf(given: ParsedArguments, options: Options): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    const value = valueOf(given, name, option);
    if (value === undefined) continue;
    const path = (option.field ?? name.replaceAll('-', '_')).split('.');
    const last = path.pop() ?? '';
    const part = path.reduce(
      (inside, key) => (inside[key] ??= {}) as Record<string, unknown>,
      fields,
    );
    part[last] = value;
  }
  return fields;
}

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

function valueOf({ flag, number, text, texts }: ParsedArguments, name: string, option: Option) {
  if (option.type === 'boolean') return flag(name) || undefined;
  if (option.isNumber) return number(name);
  return option.multiple ? texts(name) : text(name);
}
