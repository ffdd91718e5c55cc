// A command as data: parsing, help and completion read the same table.
import type { AdminClient, Client } from '@trivium/sdk';
import type { Programs } from './programs.ts';
import { jsonText } from './style.ts';
import type { Style } from './style.ts';

export interface Option {
  type: 'string' | 'boolean';
  describe: string;
  short?: string;
  /** It may be repeated, and its value is the list. */
  multiple?: boolean;
  isNumber?: boolean;
  /** The field that it sets, such as `locale.country`, if that is not its own name; see options.ts. */
  field?: string;
  /** The name of the value in the help. */
  value?: string;
  choices?: readonly string[];
  /** Converts the typed text into the value that is checked. */
  read?: (typed: string) => string;
}

export type Options = Readonly<Record<string, Option>>;

export interface ParsedArguments {
  positionals: readonly string[];
  /** The value of an option; the last one if it was given more than once. */
  text: (name: string) => string | undefined;
  /** All values of a repeatable option; undefined if there are none. */
  texts: (name: string) => string[] | undefined;
  flag: (name: string) => boolean;
  /** The value as a number; throws a UsageError for anything else. */
  number: (name: string) => number | undefined;
}

/** A value, and where it comes from for a hint: an option, a variable, a file. */
export interface Sourced {
  value: string;
  from: string;
}

export interface Credentials {
  url: () => Sourced;
  apiKey: () => Sourced;
  adminToken: () => Sourced;
}

export interface Context {
  client: () => Client;
  /** For the operator's commands; throws a UsageError without a token. */
  admin: () => AdminClient;
  url: () => string;
  /** Where the address and the credentials come from. */
  credentials: Credentials;
  env: Readonly<Record<string, string | undefined>>;
  /** Writes the result of a command. */
  out: (text: string) => void;
  /** Writes a note for a person, to standard error. */
  note: (text: string) => void;
  /** True in a pipe or with --json. */
  json: boolean;
  /** True with --json: what is written to standard error is JSON too, one object per line. */
  jsonNotes: boolean;
  /** True when standard error is a terminal, so that a line may be rewritten. */
  live: boolean;
  /** Shows on the status line what is in progress. */
  status: (text: string) => void;
  columns: number;
  style: Style;
  signal: AbortSignal;
  /** The programs of the gateway; undefined if only the client is installed. */
  programs: Programs | undefined;
  input: Pick<Terminal, 'ask' | 'readLine' | 'inIsTerminal'>;
  /** Sets how to resume if the command fails or is interrupted from now on. */
  onFailure: (resume: (() => Resume) | undefined) => void;
}

/** How to resume what a command has started. */
export interface Resume {
  hint: string;
  job_id?: string;
  idempotency_key?: string;
}

/** The part of the terminal that prompts the person. */
interface Terminal {
  ask: (question: string, options?: { hidden?: boolean }) => Promise<string>;
  readLine: () => Promise<string>;
  inIsTerminal: boolean;
}

/** The headings of the help, in order. */
export const groups = ['Tools', 'Your account', 'Operators', 'The gateway', 'Development'] as const;

export interface Command {
  name: string;
  group: (typeof groups)[number];
  summary: string;
  /** The arguments, such as `<query>`. */
  usage: string;
  /** Example command lines, without `trivium`; verbs have their own. */
  examples?: readonly string[];
  options: Options;
  /** What it does, for the status line of a run that takes longer than a second. */
  working?: string;
  /** What follows the name; see `nouns.ts`. */
  verbs?: Verbs;
  /** Words that may follow the name but are not verbs, for completion. */
  words?: readonly string[];
  /** Resolves with the exit code; undefined means success. */
  run: (given: ParsedArguments, context: Context) => Promise<number | void>;
}

export type Verbs = Readonly<Record<string, Verb>>;

export interface Verb {
  summary: string;
  /** The argument, such as `<key id>`; empty if the verb takes none. */
  usage: string;
  /** An example command line, without `trivium`. */
  example: string;
  /** What is lost by a verb that cannot be undone. The person must confirm it. */
  loses?: string;
  run: (subject: string, given: ParsedArguments, context: Context) => Promise<number | void>;
}

/** The command was used incorrectly: exit code 2. */
export class UsageError extends Error {}

export const commonOptions = {
  json: { type: 'boolean', describe: 'print JSON; the default in a pipe' },
  url: { type: 'string', value: 'url', describe: 'the gateway, instead of TRIVIUM_URL' },
  key: { type: 'string', value: 'key', describe: 'the API key, instead of TRIVIUM_API_KEY' },
  profile: {
    type: 'string',
    value: 'name',
    describe: 'the gateway that login stored under this name',
  },
  help: { type: 'boolean', short: 'h', describe: 'show this help' },
} as const satisfies Options;

/** Writes a value as JSON. */
export function printJson(context: Context, value: unknown): void {
  context.out(`${jsonText(value, 2)}\n`);
}
