// Checks the options of a client and fills in defaults.
import { readVariable } from './environment.ts';
import { ConfigurationError } from './errors.ts';
import { checkRetries, checkTimeout } from './limits.ts';
import type { Fetch, Logger, Transport } from './send.ts';

export const defaultUrl = 'http://127.0.0.1:8787';

export interface TransportOptions {
  /** The gateway's base URL; TRIVIUM_URL, or else http://127.0.0.1:8787, by default. */
  url?: string | undefined;
  /** How long one call may take, including its retries; 120 seconds by default. */
  timeoutMs?: number | undefined;
  /** How many times a call is retried after a network failure; 2 by default. */
  maxRetries?: number | undefined;
  /** Sent with every call, for example for a proxy. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Receives a line for each attempt and each retry, without credentials; `console` works. */
  logger?: Logger | undefined;
  fetch?: Fetch | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Added to the headers of the client. */
  headers?: Readonly<Record<string, string>> | undefined;
  logger?: Logger | undefined;
}

/** A credential: the name of its option, and of the variable that is its default. */
export interface Credential {
  option: 'apiKey' | 'adminToken';
  variable: 'TRIVIUM_API_KEY' | 'TRIVIUM_ADMIN_TOKEN';
  value: string | undefined;
}

export function transportOf(options: TransportOptions, credential: Credential): Transport {
  const { timeoutMs = callLimitMs, maxRetries = defaultRetries, headers = {}, logger } = options;
  return {
    url: baseUrl(options.url ?? readVariable('TRIVIUM_URL') ?? defaultUrl),
    token: tokenOf(credential),
    timeoutMs: checkTimeout(timeoutMs),
    maxRetries: checkRetries(maxRetries),
    headers,
    logger,
    // Browsers refuse a fetch whose `this` is not the global object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

const callLimitMs = 120_000;
const defaultRetries = 2;

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
    `The URL of the gateway (url, or TRIVIUM_URL) is invalid: ${why}. It should look like ` +
      'https://gateway.example or http://127.0.0.1:8787.',
  );
}

function tokenOf({ option, variable, value }: Credential): string {
  const token = value ?? readVariable(variable);
  const named = `${option}, or ${variable}`;
  if (token === undefined || token === '') {
    throw new ConfigurationError(`No credential: pass ${named}.`);
  }
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new ConfigurationError(
    `The credential (${named}) has a character that cannot be sent, ` +
      'such as a space or a line break.',
  );
}
