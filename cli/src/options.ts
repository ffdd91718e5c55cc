// How a command declares its options, and the fields of a request that they set.
import type { Option, Options, ParsedArguments } from './command.ts';

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

function valueOf({ flag, number, text, texts }: ParsedArguments, name: string, option: Option) {
  if (option.type === 'boolean') return flag(name) || undefined;
  if (option.isNumber) return number(name);
  return option.multiple ? texts(name) : text(name);
}
