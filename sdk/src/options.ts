// The gate for the options of a client: defaults, and refusals of what could never work.
import { readVariable } from './environment.ts';
import { ConfigurationError } from './errors.ts';
import type { Fetch, Transport } from './send.ts';

export const defaultUrl = 'http://127.0.0.1:8787';

export interface TransportOptions {
  /** The gateway's base URL; TRIVIUM_URL, or else http://127.0.0.1:8787, by default. */
  url?: string | undefined;
  /** How long one call may take, including its retries; 120 seconds by default. */
  timeout_ms?: number | undefined;
  /** How many times a call is retried after a network failure; 2 by default. */
  max_retries?: number | undefined;
  fetch?: Fetch | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  timeout_ms?: number | undefined;
}

/** A credential: the option that gives it, and the variable that does by default. */
export interface Credential {
  option: 'api_key' | 'admin_token';
  variable: 'TRIVIUM_API_KEY' | 'TRIVIUM_ADMIN_TOKEN';
  value: string | undefined;
}

export function transportOf(options: TransportOptions, credential: Credential): Transport {
  const { timeout_ms = callLimitMs, max_retries = defaultRetries } = options;
  return {
    url: baseUrl(options.url ?? readVariable('TRIVIUM_URL') ?? defaultUrl),
    token: tokenOf(credential),
    timeout_ms: wholeNumber('timeout_ms', timeout_ms, 1, maxTimerMs),
    max_retries: wholeNumber('max_retries', max_retries, 0, maxRetries),
    // Browsers refuse a fetch whose `this` is not the global object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

const callLimitMs = 120_000;
const defaultRetries = 2;
const maxRetries = 100;
/** The longest time that the timers of all runtimes support. */
const maxTimerMs = 2_147_483_647;

/** The URL without slashes at its end; throws for anything that is not the address of a server. */
export function baseUrl(given: string): string {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined) throw badUrl('it is not a URL');
  if (!/^https?:$/.test(url.protocol)) throw badUrl('it must begin with http:// or https://');
  if (url.username !== '' || url.password !== '') throw badUrl('it must not contain a password');
  if (url.search !== '' || url.hash !== '') throw badUrl('it must end before any ? or #');
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** Does not repeat the URL: it may contain a password. */
function badUrl(why: string): ConfigurationError {
  return new ConfigurationError(
    `The URL of the gateway (url, or TRIVIUM_URL) cannot be used: ${why}. ` +
      'It looks like https://gateway.example or http://127.0.0.1:8787.',
  );
}

function tokenOf({ option, variable, value }: Credential): string {
  const token = value ?? readVariable(variable);
  const named = `${option}, or ${variable}`;
  if (token === undefined || token === '') {
    throw new ConfigurationError(`There is no credential: pass ${named}.`);
  }
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new ConfigurationError(
    `The credential (${named}) has a character that cannot be sent, ` +
      'such as a space or a line break.',
  );
}

function wholeNumber(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ConfigurationError(`${name} must be a whole number from ${min} to ${max}.`);
}
