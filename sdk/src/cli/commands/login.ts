// trivium login and logout: keep the address and a key in a file that only this person can read.
import { createClient } from '../../client.ts';
import { baseUrl, defaultUrl } from '../../options.ts';
import { printJson } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { configPath, readConfig, removeConfig, writeConfig } from '../config-file.ts';
import { formatUsd } from '../paid.ts';

export const login: Command = {
  name: 'login',
  summary: 'Keep the address and a key of a gateway for later commands',
  usage: '',
  options: {},
  run: async (given, context) => {
    const path = configPath(context.env);
    const url = baseUrl(await urlFor(given, context, path));
    const apiKey = await keyFor(given, context);
    // Only what works is kept.
    const client = createClient({ url, api_key: apiKey });
    const { balance_usd } = await client.balance({ signal: context.signal });
    writeConfig(path, { url, api_key: apiKey });
    if (context.json) return printJson(context, { url, path, balance_usd });
    context.out(`Logged in to ${url}, ${formatUsd(balance_usd)} USD. The key is in ${path}.\n`);
    for (const variable of ['TRIVIUM_URL', 'TRIVIUM_API_KEY']) {
      if (context.env[variable]) context.note(`${variable} is set, and wins over this file.\n`);
    }
  },
};

export const logout: Command = {
  name: 'logout',
  summary: 'Forget what login kept',
  usage: '',
  options: {},
  run: (_given, context) => {
    const path = configPath(context.env);
    const removed = removeConfig(path);
    if (context.json) printJson(context, { path, removed });
    else context.out(removed ? `Removed ${path}.\n` : `There is no ${path}.\n`);
    return Promise.resolve();
  },
};

/** A file that cannot be used is about to be replaced, so it is no reason to stop. */
function storedUrl(path: string): string | undefined {
  try {
    return readConfig(path)?.url;
  } catch {
    return undefined;
  }
}

async function urlFor(given: ParsedArguments, context: Context, path: string): Promise<string> {
  const known = given.text('url') ?? (context.env['TRIVIUM_URL'] || undefined);
  if (known !== undefined) return known;
  const proposed = storedUrl(path) ?? defaultUrl;
  if (!context.input.inIsTerminal) return proposed;
  return (await context.input.ask(`Gateway (${proposed}): `)).trim() || proposed;
}

/** From --key, typed unseen, or the first line of standard input. */
async function keyFor(given: ParsedArguments, { input }: Context): Promise<string> {
  const typed = given.text('key');
  if (typed !== undefined) return typed;
  const read = input.inIsTerminal
    ? await input.ask('API key (not shown): ', { hidden: true })
    : await input.readLine();
  return read.trim();
}
