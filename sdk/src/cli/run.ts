// One run of the command line: finds the command, gives it its context, turns errors into codes.
import { version } from '@trivium/contract';
import { createAdminClient } from '../admin.ts';
import { createClient } from '../client.ts';
import { defaultUrl } from '../options.ts';
import { ApiError, ConnectionError, TriviumError } from '../errors.ts';
import { UsageError } from './command.ts';
import type { Context, ParsedArguments } from './command.ts';
import { commands } from './commands.ts';
import { commandHelp, overview } from './help.ts';
import { parseArguments } from './parse.ts';
import type { Programs } from './programs.ts';
import { makeStyle, plain, wantsColours } from './style.ts';
import { didYouMean } from './suggest.ts';

export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  out: (text: string) => void;
  err: (text: string) => void;
  outIsTerminal: boolean;
  errIsTerminal: boolean;
  columns: number;
  signal: AbortSignal;
  /** Undefined where there is only the client. */
  programs?: Programs | undefined;
}

const ok = 0;
const failure = 1;
const usage = 2;
/** The conventional exit code after an interrupt. */
const interrupted = 130;

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const style = makeStyle(wantsColours(terminal.outIsTerminal, terminal.env));
  const [name = 'help', ...rest] = helpAbout(args);
  if (['help', '--help', '-h'].includes(name)) {
    terminal.out(overview(commands, style));
    return args.length === 0 ? usage : ok;
  }
  if (['version', '--version', '-v'].includes(name)) {
    terminal.out(`${version}\n`);
    return ok;
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
    const given = parseArguments(command, rest);
    if (given.flag('help')) {
      terminal.out(commandHelp(command, style, terminal.columns));
      return ok;
    }
    return (await command.run(given, contextOf(given, terminal))) ?? ok;
  } catch (error) {
    return explain(error, terminal, command?.name);
  }
}

/** Treats `help search` as `search --help`. */
function helpAbout(args: readonly string[]): readonly string[] {
  const [first, about] = args;
  return first === 'help' && about !== undefined ? [about, '--help'] : args;
}

function contextOf(given: ParsedArguments, terminal: Terminal): Context {
  const { env } = terminal;
  const url = given.text('url') ?? (env['TRIVIUM_URL'] || defaultUrl);
  const client = () => {
    const apiKey = given.text('key') ?? env['TRIVIUM_API_KEY'];
    if (!apiKey) {
      throw new UsageError('Set TRIVIUM_API_KEY to your API key, or pass it with --key.');
    }
    return createClient({ url, api_key: apiKey });
  };
  const admin = () => {
    const adminToken = env['TRIVIUM_ADMIN_TOKEN'];
    if (!adminToken) {
      throw new UsageError("Set TRIVIUM_ADMIN_TOKEN to the operator's token.");
    }
    return createAdminClient({ url, admin_token: adminToken });
  };
  return {
    client,
    admin,
    url: url.replace(/(?<!\/)\/+$/, ''),
    env,
    out: terminal.out,
    note: terminal.err,
    json: given.flag('json') || !terminal.outIsTerminal,
    live: terminal.errIsTerminal && !given.flag('json'),
    columns: terminal.columns,
    style: makeStyle(wantsColours(terminal.outIsTerminal, env)),
    signal: terminal.signal,
    programs: terminal.programs,
  };
}

function explain(error: unknown, terminal: Terminal, command = 'help'): number {
  const style = makeStyle(wantsColours(terminal.errIsTerminal, terminal.env));
  if (terminal.signal.aborted) return interrupted;
  if (!(error instanceof Error)) throw error;
  if (error instanceof UsageError) {
    const more = command === 'help' ? 'trivium help' : `trivium ${command} --help`;
    terminal.err(`${style.red('error')}  ${error.message} See ${more}.\n`);
    return usage;
  }
  if (!(error instanceof TriviumError)) throw error;
  terminal.err(`${style.red('error')}  ${plain(error.message)}${adviceFor(error)}\n`);
  return failure;
}

function adviceFor(error: TriviumError): string {
  if (error instanceof ConnectionError) {
    return '\nStart a gateway with trivium serve, or set TRIVIUM_URL to its address.';
  }
  if (!(error instanceof ApiError)) return '';
  switch (error.type) {
    case 'unauthorized':
      return '\nCheck TRIVIUM_API_KEY: it must be a key of this gateway.';
    case 'insufficient_credits':
      return '\nCheck the balance with trivium balance.';
    case 'provider_not_configured':
    case 'provider_not_available':
      return '\nList the available providers with trivium providers.';
    case 'internal_error':
      return `\nReport the request id ${error.request_id ?? ''} to the operator.`;
    case 'invalid_request':
    case 'provider_error':
    case 'not_found':
    case 'rate_limited':
    case 'unknown':
      return '';
  }
}
