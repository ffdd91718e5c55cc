// The completion scripts in real shells. Tests of a shell that is not installed are reported as
// left out.
import { expect } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../cli/src/commands.ts';
import { completionFor, shells } from '../../cli/src/completion.ts';
import type { Shell } from '../../cli/src/completion.ts';
import { missingProgram, testWhere } from '../leave-out.ts';

/** What the shell offers for each line, with the cursor at its end. */
type Complete = (lines: readonly string[]) => string[][];

const shellEnv = { PATH: process.env['PATH'] ?? '', TERM: 'xterm', LC_ALL: 'C.UTF-8' };
const run = (command: string[]) => Bun.spawnSync(command, { env: shellEnv });
const linesOf = (text: string) => text.split(/\r?\n/).filter((line) => line !== '');

const completers: Readonly<Record<Shell, Complete>> = {
  bash: (lines) =>
    lines.map((line) => {
      const words = line.split(' ').map((word) => `'${word}'`);
      const program = `${completionFor('bash', commands)}
COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}
_trivium; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return linesOf(run(['bash', '-c', program]).stdout.toString());
    }),
  zsh: completeInZsh,
  fish: (lines) =>
    lines.map((line) => {
      const program = `${completionFor('fish', commands)}\ncomplete -C '${line}'`;
      const { stdout, stderr } = run(['fish', '--no-config', '-c', program]);
      expect(stderr.toString()).toBe('');
      // The description follows a tab.
      return linesOf(stdout.toString()).map((one) => one.split('\t')[0] ?? '');
    }),
};

/**
 * zsh completes only at a prompt. A second zsh in a pseudo-terminal loads the script as a file of
 * $fpath, writes what is offered into a file, and gets each line with a tab.
 */
function completeInZsh(lines: readonly string[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-zsh-'));
  try {
    writeFileSync(join(folder, '_trivium'), completionFor('zsh', commands));
    writeFileSync(join(folder, 'inner.zsh'), innerZsh(folder));
    // One line at a time: zsh does not complete while more input waits.
    const typed = lines.map(
      (line) => `zpty -n -w inner "${line}"$'\\t'$'\\C-t'; zpty -r -m inner read '*next-line*'`,
    );
    const outer = `zmodload zsh/zpty; zpty inner "zsh -f -i"
zpty -w inner "source '${folder}/inner.zsh'"; zpty -r -m inner read '*ready*'
${typed.join('\n')}
zpty -n -w inner $'\\C-g'; zpty -r inner read '*never*'; zpty -d inner`;
    run(['zsh', '-f', '-c', outer]);
    const offered = readFileSync(join(folder, 'offered'), 'utf8');
    return offered.split('-- end\n').slice(0, -1).map(linesOf);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const innerZsh = (folder: string) => `
PS1='' RPS1=''; bindkey -e; unsetopt zle_bracketed_paste auto_menu
fpath=('${folder}' $fpath); autoload -Uz compinit; compinit -u -d '${folder}/dump'
compadd() {
  if [[ " $* " == *' -O '* || " $* " == *' -A '* || " $* " == *' -D '* ]]; then
    builtin compadd "$@"; return
  fi
  local -a offered; builtin compadd -O offered "$@"
  (( $#offered )) && print -rl -- $offered >> '${folder}/offered'
  builtin compadd "$@"
}
next-line() { print -r -- '-- end' >> '${folder}/offered'; BUFFER=''; print next-line }
zle -N next-line; bindkey '^T' next-line
finish() { exit }
zle -N finish; bindkey '^G' finish
print ready
`;

const expected: readonly (readonly [line: string, offers: readonly string[]])[] = [
  ['trivium transc', ['transcribe']],
  ['trivium log', ['login', 'logout', 'logs']],
  ['trivium keys ro', ['rotate']],
  ['trivium profiles u', ['use']],
  ['trivium estimate tr', ['transcription']],
  ['trivium jobs w', ['wait']],
  ['trivium search --fr', ['--freshness']],
  ['trivium search --freshness w', ['week']],
  ['trivium search --provider ta', ['tavily']],
  ['trivium search --provider engine_c', ['engine_c']],
  ['trivium transcribe --provider d', ['deepgram']],
  ['trivium search --nothing-like-this', []],
];

for (const shell of shells) {
  testWhere(missingProgram(shell))(
    `${shell} completes commands, options and values, vendors by name among them`,
    () => {
      const offered = completers[shell](expected.map(([line]) => line));
      const found = expected.map(([line], index) => [line, [...new Set(offered[index])].sort()]);
      expect(found as unknown).toEqual(expected);
    },
  );
}
