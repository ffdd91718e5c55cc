// The help texts, made from the same tables that parse the arguments.
import { common_options } from './command.ts';
import type { Command, Option, Options } from './command.ts';
import type { Style } from './style.ts';

export function overview(commands: readonly Command[], style: Style): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(
    ({ name, summary }) => `  ${style.cyan(name.padEnd(width))}  ${summary}`,
  );
  return [
    'trivium talks to a Trivium gateway: search, extraction, transcription.',
    '',
    `${style.bold('Usage')}  trivium <command> [arguments] [options]`,
    '',
    ...lines,
    '',
    'TRIVIUM_URL says where the gateway is (http://127.0.0.1:8787 unless set), TRIVIUM_API_KEY',
    'holds your key. trivium <command> --help says more about a command.',
    '',
  ].join('\n');
}

export function commandHelp(command: Command, style: Style): string {
  const own = optionLines(command.options, style);
  return [
    command.summary,
    '',
    `${style.bold('Usage')}  trivium ${`${command.name} ${command.usage}`.trim()}`,
    '',
    ...(own.length === 0 ? [] : [...own, '']),
    ...optionLines(common_options, style),
    '',
  ].join('\n');
}

function optionLines(options: Options, style: Style): string[] {
  const rows = Object.entries(options).map(([name, option]) => ({
    left: leftSide(name, option),
    right: option.choices ? `${option.describe}: ${option.choices.join(', ')}` : option.describe,
  }));
  const width = Math.max(0, ...rows.map(({ left }) => left.length));
  return rows.map(({ left, right }) => `  ${style.cyan(left.padEnd(width))}  ${right}`);
}

function leftSide(name: string, { short, value, type }: Option): string {
  const long = type === 'string' ? `--${name} <${value ?? 'text'}>` : `--${name}`;
  return short === undefined ? long : `-${short}, ${long}`;
}
