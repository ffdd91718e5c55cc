// One run of the command line: finds the command, runs it in its context, and turns errors into
// exit codes.
import { version } from '@trivium/contract';
import type { ValidationIssue } from '@trivium/contract';
import { ApiError, TriviumError, createAdminClient, createClient } from '@trivium/sdk';
import type { Fetch } from '@trivium/sdk';
import { UsageError } from './command.ts';
import type { Command, Context, ParsedArguments } from './command.ts';
import { commands } from './commands.ts';
import { findCredentials } from './credentials.ts';
import { explain, explainedText } from './explain.ts';
import type { Explained, Origins } from './explain.ts';
import { commandHelp, overview } from './help.ts';
import { parseArguments } from './parse.ts';
import type { Programs } from './programs.ts';
import { noStatusLine, startStatusLine } from './status-line.ts';
import { jsonText, makeStyle, plain, visible, wantsColours } from './style.ts';
import { didYouMean } from '@trivium/contract';

export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Asks the person; a hidden answer is not shown while it is typed. */
  ask: (question: string, options?: { hidden?: boolean }) => Promise<string>;
  /** Reads the first line of standard input. */
  readLine: () => Promise<string>;
  inIsTerminal: boolean;
  outIsTerminal: boolean;
  errIsTerminal: boolean;
  columns: number;
  /** Aborted with the name of the signal that ends the process. */
  signal: AbortSignal;
  /** Undefined if only the client is installed. */
  programs?: Programs | undefined;
}

const ok = 0;
const failure = 1;
const usage = 2;
/** The conventional exit codes after SIGINT and SIGTERM. */
const signalCodes: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const style = makeStyle(wantsColours(terminal.outIsTerminal, terminal.env));
  const [name = 'help', ...rest] = helpAbout(args);
  if (['help', '--help', '-h'].includes(name)) {
    terminal.out(overview(commands, style));
    return args.length === 0 ? usage : ok;
  }
  if (['version', '--version', '-v'].includes(name) || rest[0] === '--version') {
    terminal.out(`${version}\n`);
    return ok;
  }
  const command = commands.find((known) => known.name === name);
  const report = reporter(terminal, args);
  const running: Running = {};
  try {
    if (command === undefined) throw new UsageError(unknownCommand(name));
    const given = parseArguments(command, rest);
    if (given.flag('help')) {
      terminal.out(commandHelp(command, style, terminal.columns));
      return ok;
    }
    return await perform(command, given, terminal, running);
  } catch (error) {
    if (terminal.signal.aborted) {
      const signal = String((terminal.signal.reason as Error).message);
      if (running.resume !== undefined) {
        report({ type: 'interrupted', message: `Ended by ${signal}.`, ...running.resume() });
      }
      return signalCodes[signal] ?? failure;
    }
    if (error instanceof UsageError) {
      const more = command === undefined ? 'trivium help' : `trivium ${command.name} --help`;
      report({ type: 'usage', message: `${error.message} See ${more}.` });
      return usage;
    }
    const explained =
      error instanceof TriviumError
        ? explain(error, running.origins?.() ?? unknownOrigins)
        : unexpected(error);
    const issues = error instanceof ApiError ? error.issues : [];
    report({ ...explained, ...running.resume?.() }, issues);
    return failure;
  }
}

/** What is known about a run when it fails. */
interface Running {
  origins?: () => Origins;
  /** How to resume what was started. */
  resume?: (() => Pick<Explained, 'hint' | 'job_id' | 'idempotency_key'>) | undefined;
}

const unknownOrigins: Origins = { url: 'TRIVIUM_URL', credential: '', isOperator: false };

async function perform(
  command: Command,
  given: ParsedArguments,
  terminal: Terminal,
  running: Running,
): Promise<number> {
  const style = makeStyle(wantsColours(terminal.errIsTerminal, terminal.env));
  const isLive = terminal.errIsTerminal && !given.flag('json');
  const status =
    isLive && command.working !== undefined
      ? startStatusLine(command.working, { write: terminal.err, style })
      : noStatusLine;
  const writing = (write: (text: string) => void) => (text: string) => {
    status.clear();
    write(visible(text));
  };
  try {
    const context = contextOf(given, terminal, running);
    return (
      (await command.run(given, {
        ...context,
        out: writing(terminal.out),
        note: writing(terminal.err),
        live: isLive,
        status: (text) => status.update(plain(text)),
      })) ?? ok
    );
  } finally {
    status.end();
  }
}

function contextOf(
  given: ParsedArguments,
  terminal: Terminal,
  running: Running,
): Omit<Context, 'out' | 'note' | 'live' | 'status'> {
  const { env } = terminal;
  const credentials = findCredentials(given, env);
  const known = (isOperator: boolean, credential: string) => () => ({
    url: credentials.url().from,
    credential,
    isOperator,
  });
  return {
    client: () => {
      const key = credentials.apiKey();
      running.origins = known(false, key.from);
      return createClient({ url: credentials.url().value, api_key: key.value });
    },
    admin: () => {
      const token = credentials.adminToken();
      running.origins = known(true, token.from);
      const url = credentials.url().value;
      return createAdminClient({ url, admin_token: token.value, fetch: namedFetch });
    },
    url: () => credentials.url().value.replace(/(?<!\/)\/+$/, ''),
    credentials,
    env,
    json: given.flag('json') || !terminal.outIsTerminal,
    jsonNotes: given.flag('json'),
    columns: terminal.columns,
    style: makeStyle(wantsColours(terminal.outIsTerminal, env)),
    signal: terminal.signal,
    programs: terminal.programs,
    input: terminal,
    onFailure: (resume) => (running.resume = resume),
  };
}

/** The audit log of the gateway shows that a change came from the command line. */
const namedFetch: Fetch = (url, init) => {
  const headers = new Headers(init.headers);
  headers.set('user-agent', `trivium-cli/${version}`);
  return fetch(url, { ...init, headers });
};

/** Prints an error for a person or, with --json, as one line of JSON. */
function reporter(terminal: Terminal, args: readonly string[]) {
  const end = args.indexOf('--');
  const isJson = (end === -1 ? args : args.slice(0, end)).includes('--json');
  const style = makeStyle(wantsColours(terminal.errIsTerminal, terminal.env));
  return (explained: Explained, issues: readonly ValidationIssue[] = []) => {
    if (isJson) terminal.err(`${jsonText({ error: explained })}\n`);
    else terminal.err(visible(explainedText(explained, issues, style)));
  };
}

/** Also handles responses with the right fields but unexpected values. */
function unexpected(error: unknown): Explained {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const hint =
    'This is a bug in trivium, or the response is not from a gateway of the same version. ' +
    'Use --json to see the details.';
  return { type: 'unexpected', message: `${name}: ${message}`, detail: stack, hint };
}

function unknownCommand(name: string): string {
  const names = commands.map((known) => known.name);
  return `There is no command ${plain(name.slice(0, 60))}.${didYouMean(name, names, 'trivium ')}`;
}

/** Treats `help search` as `search --help`. */
function helpAbout(args: readonly string[]): readonly string[] {
  const [first, about] = args;
  return first === 'help' && about !== undefined ? [about, '--help'] : args;
}
