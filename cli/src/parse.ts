// Parses the arguments of a command against its table; errors suggest what was meant.
import { parseArgs } from 'node:util';
import { commonOptions, UsageError } from './command.ts';
import type { Command, Option, ParsedArguments } from './command.ts';
import { plain } from './style.ts';
import { didYouMean } from '@trivium/contract';

export function parseArguments(command: Command, args: readonly string[]): ParsedArguments {
  const options = { ...commonOptions, ...command.options };
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type, short }]: [string, OptionShape]) => [
        name,
        { type, multiple: true, ...(short === undefined ? {} : { short }) },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option: OptionShape | undefined = Object.hasOwn(options, token.name)
      ? options[token.name as keyof typeof options]
      : undefined;
    if (option === undefined) {
      const hint = didYouMean(token.name, Object.keys(options), '--');
      throw new UsageError(`${command.name} has no option ${shown(token.rawName)}.${hint}`);
    }
    const value = valueOf(token.name, option, token.value);
    values.set(token.name, [...(values.get(token.name) ?? []), value]);
  }
  const [extra] = positionals;
  if (extra !== undefined && /^(?:--|$)/.test(command.usage)) {
    throw new UsageError(`${command.name} takes no argument ${shown(extra)}.`);
  }
  return toParsedArguments(positionals, values);
}

type OptionShape = Pick<Option, 'type' | 'short' | 'choices' | 'read'>;

function valueOf(name: string, option: OptionShape, value: string | undefined): string {
  if (option.type === 'boolean') {
    if (value === undefined) return 'true';
    throw new UsageError(`--${name} takes no value.`);
  }
  if (value === undefined || value === '') throw new UsageError(`--${name} needs a value.`);
  const read = option.read?.(value) ?? value;
  if (option.choices !== undefined && !option.choices.includes(read)) {
    const hint = didYouMean(value, option.choices);
    throw new UsageError(
      `--${name} cannot be ${shown(value)}; it must be one of ${option.choices.join(', ')}.${hint}`,
    );
  }
  return read;
}

/** Makes typed text, which may contain anything, safe for a message. */
function shown(typed: string): string {
  return plain(typed.slice(0, maxShownChars));
}

const maxShownChars = 60;

function toParsedArguments(
  positionals: readonly string[],
  values: ReadonlyMap<string, string[]>,
): ParsedArguments {
  const text = (name: string) => values.get(name)?.at(-1);
  return {
    positionals,
    text,
    texts: (name) => values.get(name),
    flag: (name) => values.has(name),
    number: (name) => {
      const given = text(name);
      if (given === undefined) return undefined;
      const value = Number(given);
      if (given.trim() !== '' && Number.isFinite(value)) return value;
      throw new UsageError(`--${name} must be a number, not ${shown(given)}.`);
    },
  };
}
