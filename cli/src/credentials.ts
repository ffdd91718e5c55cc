// Where a command finds the gateway and the key: an option overrides the environment, and the
// environment overrides the file of `trivium login`.
import { baseUrl, defaultUrl } from '@trivium/sdk/options';
import { UsageError } from './command.ts';
import type { Credentials, ParsedArguments, Sourced } from './command.ts';
import { configPath, readConfig } from './config-file.ts';
import type { Config } from './config-file.ts';

/** The profile that this run names; undefined for the current one. */
export function namedProfile(
  given: Pick<ParsedArguments, 'text'>,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return given.text('profile') ?? (env['TRIVIUM_PROFILE'] || undefined);
}

export function findCredentials(
  given: Pick<ParsedArguments, 'text'>,
  env: Readonly<Record<string, string | undefined>>,
): Credentials {
  const path = configPath(env);
  const file = once(() => readConfig(path, namedProfile(given, env)));
  // A typed profile overrides the environment, as every option does.
  const isTyped = given.text('profile') !== undefined;
  const named = (option: string, variable: string): Sourced | undefined => {
    const typed = given.text(option);
    if (typed !== undefined) return { value: typed, from: `--${option}` };
    const set = isTyped ? undefined : env[variable];
    return set ? { value: set, from: variable } : undefined;
  };
  const url = once((): Sourced => {
    const own = named('url', 'TRIVIUM_URL');
    if (own !== undefined) return own;
    const stored = file()?.url;
    return stored === undefined
      ? { value: defaultUrl, from: 'the default' }
      : { value: stored, from: path };
  });
  return {
    url,
    apiKey: () => {
      const own = named('key', 'TRIVIUM_API_KEY');
      if (own !== undefined) return own;
      const config = file();
      // The stored key belongs to the stored gateway: no other server may see it.
      if (config !== undefined && isSameGateway(config, url().value)) {
        return { value: config.api_key, from: path };
      }
      const other =
        config === undefined ? '' : ` The key that trivium login stored is for ${config.url}.`;
      throw new UsageError(
        `No API key: run trivium login, set TRIVIUM_API_KEY, or pass --key.${other}`,
      );
    },
    adminToken: () => {
      const value = env['TRIVIUM_ADMIN_TOKEN'];
      if (value) return { value, from: 'TRIVIUM_ADMIN_TOKEN' };
      throw new UsageError("Set TRIVIUM_ADMIN_TOKEN to the operator's token.");
    },
  };
}

function isSameGateway({ url }: Config, asked: string): boolean {
  try {
    return baseUrl(url) === baseUrl(asked);
  } catch {
    return url === asked;
  }
}

function once<T>(read: () => T): () => T {
  let known: { value: T } | undefined;
  return () => (known ??= { value: read() }).value;
}
