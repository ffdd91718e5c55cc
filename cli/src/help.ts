// The help texts, generated from the tables that parse the arguments.
import { commonOptions, groups } from './command.ts';
import type { Command, Option, Options } from './command.ts';
import type { Style } from './style.ts';

export function overview(commands: readonly Command[], style: Style): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = groups.flatMap((group) => [
    style.bold(group),
    ...commands
      .filter((command) => command.group === group)
      .map(({ name, summary }) => `  ${style.cyan(name.padEnd(width))}  ${summary}`),
    '',
  ]);
  return [
    'trivium is the command line of a Trivium gateway: search, extraction, transcription.',
    '',
    `${style.bold('Usage')}  trivium <command> [arguments] [options]`,
    '',
    ...lines,
    'TRIVIUM_URL is the address of the gateway (default http://127.0.0.1:8787), TRIVIUM_API_KEY',
    'is your key; or store both with trivium login. Operators set TRIVIUM_ADMIN_TOKEN. Run',
    'trivium <command> --help for its options and examples.',
    '',
  ].join('\n');
}

export function commandHelp(command: Command, style: Style, columns: number): string {
  const verbs = Object.entries(command.verbs ?? {});
  const examples = [...(command.examples ?? []), ...verbs.map(([, { example }]) => example)];
  const own = optionLines(command.options, style, columns);
  const verbRows = verbs.map(([name, { usage, summary }]) => ({
    left: `${name} ${usage}`.trim(),
    right: summary,
  }));
  return [
    command.summary,
    '',
    `${style.bold('Usage')}  trivium ${`${command.name} ${command.usage}`.trim()}`,
    '',
    ...section('Verbs', rowLines(verbRows, style, columns), style),
    ...section(
      examples.length > 1 ? 'Examples' : 'Example',
      examples.map((example) => `  trivium ${example}`),
      style,
    ),
    ...section('Options', [...own, ...optionLines(commonOptions, style, columns)], style),
  ].join('\n');
}

function section(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : [style.bold(title), ...lines, ''];
}

function optionLines(options: Options, style: Style, columns: number): string[] {
  const rows = Object.entries(options).map(([name, option]) => ({
    left: leftSide(name, option),
    right: option.choices ? `${option.describe}: ${option.choices.join(', ')}` : option.describe,
  }));
  return rowLines(rows, style, columns);
}

interface HelpRow {
  left: string;
  right: string;
}

function rowLines(rows: readonly HelpRow[], style: Style, columns: number): string[] {
  const width = Math.max(0, ...rows.map(({ left }) => left.length));
  const margin = width + 4;
  const room = Math.max(columns - margin, minTextColumns);
  return rows.map(({ left, right }) => {
    const text = wrap(right, room).join(`\n${' '.repeat(margin)}`);
    return `  ${style.cyan(left.padEnd(width))}  ${text}`;
  });
}

const minTextColumns = 30;

/** Breaks between words, so that no line is wider than the given columns. */
function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && longer.length <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function leftSide(name: string, { short, value, type, choices }: Option): string {
  const kind = value ?? (choices === undefined ? 'text' : name);
  const long = type === 'string' ? `--${name} <${kind}>` : `--${name}`;
  return short === undefined ? long : `-${short}, ${long}`;
}
