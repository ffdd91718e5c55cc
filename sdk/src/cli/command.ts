// What a command of the terminal is: a row of data that parsing, help and completion read alike.
import type { AdminClient } from '../admin.ts';
import type { Client } from '../client.ts';
import type { Style } from './style.ts';

export interface Option {
  type: 'string' | 'boolean';
  describe: string;
  short?: string;
  multiple?: boolean;
  /** How help names the value. */
  value?: string;
  choices?: readonly string[];
}

export type Options = Readonly<Record<string, Option>>;

export interface Given {
  positionals: readonly string[];
  /** Answers the value of an option, the last one if it was given more than once. */
  text: (name: string) => string | undefined;
  /** Answers all values of an option that may be repeated; undefined when there is none. */
  texts: (name: string) => string[] | undefined;
  flag: (name: string) => boolean;
  /** Answers a number, and refuses what is none. */
  number: (name: string) => number | undefined;
}

export interface Context {
  client: () => Client;
  /** For the operator's commands; refuses when there is no token. */
  admin: () => AdminClient;
  url: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The result of a command. */
  out: (text: string) => void;
  /** What a person may want to know besides. */
  note: (text: string) => void;
  /** True when a program reads the result, or when --json was given. */
  json: boolean;
  /** True when a person watches the notes, so that a line may be rewritten. */
  live: boolean;
  columns: number;
  style: Style;
  signal: AbortSignal;
}

export interface Command {
  name: string;
  summary: string;
  /** What stands behind the name, such as `<query>`. */
  usage: string;
  options: Options;
  /** Words that may stand first, for help and completion. */
  words?: readonly string[];
  /** Answers the exit code; nothing means success. */
  run: (given: Given, context: Context) => Promise<number | void>;
}

/** The caller used a command wrongly: exit code 2. */
export class UsageError extends Error {}

export const common_options = {
  json: { type: 'boolean', describe: 'print JSON, which is the default in a pipe' },
  url: { type: 'string', value: 'address', describe: 'the gateway, instead of TRIVIUM_URL' },
  key: { type: 'string', value: 'key', describe: 'the API key, instead of TRIVIUM_API_KEY' },
  help: { type: 'boolean', short: 'h', describe: 'show this help' },
} as const satisfies Options;

/** Writes a value for programs. */
export function printJson(context: Context, value: unknown): void {
  context.out(`${JSON.stringify(value, null, 2)}\n`);
}
