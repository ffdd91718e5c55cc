// Shell completion, generated from the table of commands.
import { commonOptions } from './command.ts';
import type { Command } from './command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export function completionFor(shell: Shell, commands: readonly Command[]): string {
  switch (shell) {
    case 'bash':
      return bash(commands);
    case 'zsh':
      return zsh(commands);
    case 'fish':
      return fish(commands);
  }
}

/** What may follow the name of a command. */
function followers({ verbs, words = [] }: Pick<Command, 'verbs' | 'words'>): string[] {
  return [...Object.keys(verbs ?? {}), ...words];
}

/** Those words and the options. */
function wordsOf({ options, ...command }: Command): string[] {
  return [
    ...followers(command),
    ...Object.keys({ ...commonOptions, ...options }).map((name) => `--${name}`),
  ];
}

/** Every option of a command with a fixed set of values, with those values. */
function choicesOf({ options }: Command): [name: string, choices: readonly string[]][] {
  return Object.entries(options).flatMap(([name, { choices }]) =>
    choices === undefined ? [] : [[name, choices] as [string, readonly string[]]],
  );
}

function bash(commands: readonly Command[]): string {
  const values = commands.flatMap((command) =>
    choicesOf(command).map(
      ([name, choices]) => `    ${command.name}:--${name}) words='${choices.join(' ')}' ;;`,
    ),
  );
  const others = commands.map(
    (command) => `      ${command.name}) words='${wordsOf(command).join(' ')}' ;;`,
  );
  return `# bash completion for trivium: source it, or save it where bash looks for completions.
_trivium() {
  local words='' current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  case "\${COMP_WORDS[1]}:$before" in
${values.join('\n')}
    *) case "\${COMP_WORDS[1]}" in
${others.join('\n')}
    esac ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words='${commands.map(({ name }) => name).join(' ')}'; fi
  COMPREPLY=( $(compgen -W "$words" -- "$current") )
}
complete -F _trivium trivium
`;
}

function zsh(commands: readonly Command[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`);
  const values = commands.flatMap((command) =>
    choicesOf(command).map(
      ([name, choices]) => `    ${command.name}:--${name}) compadd -- ${choices.join(' ')} ;;`,
    ),
  );
  const others = commands.map(
    (command) => `    ${command.name}:*) compadd -- ${wordsOf(command).join(' ')} ;;`,
  );
  return `#compdef trivium
_trivium() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "$words[2]:$words[CURRENT-1]" in
${[...values, ...others].join('\n')}
  esac
}
# Loaded from a folder of $fpath, this file is the function; sourced, it registers it.
if [ "$funcstack[1]" = _trivium ]; then
  _trivium "$@"
else
  compdef _trivium trivium
fi
`;
}

function fish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const inside = `-n '__fish_seen_subcommand_from ${command.name}'`;
    const choices = new Map(choicesOf(command));
    const options = { ...commonOptions, ...command.options };
    const first = `complete -c trivium -n __fish_use_subcommand -a ${command.name}`;
    return [
      `${first} -d '${quoted(command.summary)}'`,
      ...followers(command).map((word) => `complete -c trivium ${inside} -a ${word}`),
      ...Object.entries(options).map(([name, { type, describe }]) => {
        const value = type === 'string' ? ' -x' : '';
        const known = choices.get(name);
        const list = known === undefined ? '' : ` -a '${known.join(' ')}'`;
        return `complete -c trivium ${inside} -l ${name}${value}${list} -d '${quoted(describe)}'`;
      }),
    ];
  });
  return `complete -c trivium -f\n${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return text.replaceAll("'", '’').replaceAll(':', ' -');
}
