// trivium completion: prints a completion script for a shell.
import { UsageError } from '../command.ts';
import type { Command } from '../command.ts';
import { completionFor, shells } from '../completion.ts';

/** Takes the list of commands as a function, because this command is part of it. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    group: 'Development',
    summary: 'Print completions for bash, zsh or fish',
    usage: 'bash|zsh|fish',
    words: shells,
    examples: ['completion bash'],
    options: {},
    run: (given, context) => {
      const shell = shells.find((known) => known === given.positionals[0]);
      if (shell === undefined) throw new UsageError(`Name your shell: ${shells.join(', ')}.`);
      context.out(completionFor(shell, commands()));
      return Promise.resolve();
    },
  };
}
