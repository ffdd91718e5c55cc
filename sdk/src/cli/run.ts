// One run of the command line: finds the command, gives it its context, turns errors into codes.
import { createAdminClient } from '../admin.ts';
import { createClient, DEFAULT_URL } from '../client.ts';
import { ApiError, ConnectionError, TriviumError } from '../errors.ts';
import { UsageError } from './command.ts';
import type { Context, Given } from './command.ts';
import { commands } from './commands.ts';
import { commandHelp, overview } from './help.ts';
import { parseGiven } from './parse.ts';
import { makeStyle, plain, wantsColours } from './style.ts';
import { didYouMean } from './suggest.ts';
import manifest from '../../package.json' with { type: 'json' };

export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  out: (text: string) => void;
  err: (text: string) => void;
  out_is_terminal: boolean;
  err_is_terminal: boolean;
  columns: number;
  signal: AbortSignal;
}

const OK = 0;
const FAILURE = 1;
const USAGE = 2;
/** What shells expect of a program that was interrupted. */
const INTERRUPTED = 130;

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const style = makeStyle(wantsColours(terminal.out_is_terminal, terminal.env));
  const [name = 'help', ...rest] = helpAbout(args);
  if (['help', '--help', '-h'].includes(name)) {
    terminal.out(overview(commands, style));
    return args.length === 0 ? USAGE : OK;
  }
  if (['version', '--version', '-v'].includes(name)) {
    terminal.out(`${manifest.version}\n`);
    return OK;
  }
  const command = commands.find((known) => known.name === name);
  try {
    if (command === undefined) {
      const hint = didYouMean(
        name,
        commands.map((known) => known.name),
        'trivium ',
      );
      throw new UsageError(`There is no command ${name}.${hint}`);
    }
    const given = parseGiven(command, rest);
    if (given.flag('help')) {
      terminal.out(commandHelp(command, style, terminal.columns));
      return OK;
    }
    return (await command.run(given, contextOf(given, terminal))) ?? OK;
  } catch (error) {
    return explain(error, terminal, command?.name);
  }
}

/** `help search` is another way to write `search --help`. */
function helpAbout(args: readonly string[]): readonly string[] {
  const [first, about] = args;
  return first === 'help' && about !== undefined ? [about, '--help'] : args;
}

function contextOf(given: Given, terminal: Terminal): Context {
  const { env } = terminal;
  const url = given.text('url') ?? (env['TRIVIUM_URL'] || DEFAULT_URL);
  const client = () => {
    const api_key = given.text('key') ?? env['TRIVIUM_API_KEY'];
    if (!api_key) {
      throw new UsageError('Put your API key into TRIVIUM_API_KEY, or give it with --key.');
    }
    return createClient({ url, api_key });
  };
  const admin = () => {
    const admin_token = env['TRIVIUM_ADMIN_TOKEN'];
    if (!admin_token) {
      throw new UsageError("Put the operator's token into TRIVIUM_ADMIN_TOKEN.");
    }
    return createAdminClient({ url, admin_token });
  };
  return {
    client,
    admin,
    url: url.replace(/(?<!\/)\/+$/, ''),
    env,
    out: terminal.out,
    note: terminal.err,
    json: given.flag('json') || !terminal.out_is_terminal,
    live: terminal.err_is_terminal && !given.flag('json'),
    columns: terminal.columns,
    style: makeStyle(wantsColours(terminal.out_is_terminal, env)),
    signal: terminal.signal,
  };
}

function explain(error: unknown, terminal: Terminal, command = 'help'): number {
  const style = makeStyle(wantsColours(terminal.err_is_terminal, terminal.env));
  if (terminal.signal.aborted) return INTERRUPTED;
  if (!(error instanceof Error)) throw error;
  if (error instanceof UsageError) {
    const more = command === 'help' ? 'trivium help' : `trivium ${command} --help`;
    terminal.err(`${style.red('error')}  ${error.message} See ${more}.\n`);
    return USAGE;
  }
  if (!(error instanceof TriviumError)) throw error;
  terminal.err(`${style.red('error')}  ${plain(error.message)}${adviceFor(error)}\n`);
  return FAILURE;
}

function adviceFor(error: TriviumError): string {
  if (error instanceof ConnectionError) {
    return '\nStart a gateway with trivium serve, or say where it is in TRIVIUM_URL.';
  }
  if (!(error instanceof ApiError)) return '';
  switch (error.type) {
    case 'unauthorized':
      return '\nCheck TRIVIUM_API_KEY: it must be a key of this gateway.';
    case 'insufficient_credits':
      return '\nSee what is left with trivium balance.';
    case 'provider_not_configured':
    case 'provider_not_available':
      return '\nSee who can be asked with trivium providers.';
    case 'internal_error':
      return `\nTell the operator the request id ${error.request_id ?? ''}.`;
    case 'invalid_request':
    case 'provider_error':
    case 'not_found':
    case 'rate_limited':
    case 'unknown':
      return '';
  }
}
