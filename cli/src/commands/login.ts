// trivium login, logout, profiles and whoami: which gateway and key are used, and the file that
// stores them, which only this person can read.
import { createClient } from '@trivium/sdk';
import { baseUrl, defaultUrl } from '@trivium/sdk/options';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import {
  checkProfileName,
  configPath,
  defaultProfile,
  noProfile,
  readProfiles,
  removeFile,
  removeProfile,
  writeProfiles,
} from '../config-file.ts';
import type { Profiles } from '../config-file.ts';
import { namedProfile } from '../credentials.ts';
import { noun, showList, showOne } from '../nouns.ts';
import { formatUsd } from '../paid.ts';
import { formatTable } from '../table.ts';
import { readHealth } from '../health.ts';

export const login: Command = {
  name: 'login',
  group: 'Your account',
  summary: 'Store the address and a key of a gateway for later commands',
  usage: '',
  examples: ['login', 'login --profile staging --url https://staging.example'],
  options: {},
  run: async (given, context) => {
    const path = configPath(context.env);
    const known = profilesToReplace(path);
    const named = namedProfile(given, context.env);
    const name = checkProfileName(named ?? known.current);
    const stored = Object.hasOwn(known.profiles, name) ? known.profiles[name]?.url : undefined;
    const url = baseUrl(await urlFor(given, context, stored));
    const apiKey = await keyFor(given, context);
    // Only a working key is stored.
    const client = createClient({ url, api_key: apiKey });
    const { balance_usd } = await client.balance({ signal: context.signal });
    const profiles = { ...known.profiles, [name]: { url, api_key: apiKey } };
    const current = Object.hasOwn(profiles, known.current) ? known.current : name;
    writeProfiles(path, { current, profiles });
    if (context.json) return printJson(context, { profile: name, url, path, balance_usd });
    context.out(`Logged in to ${url}, ${formatUsd(balance_usd)} USD. The key is in ${path}.\n`);
    if (name !== current) {
      context.note(
        `Use it with --profile ${name}, or make it the default: trivium profiles use ` +
          `${name}.\n`,
      );
    }
    for (const variable of ['TRIVIUM_URL', 'TRIVIUM_API_KEY']) {
      if (context.env[variable]) context.note(`${variable} is set and overrides this file.\n`);
    }
  },
};

export const logout: Command = {
  name: 'logout',
  group: 'Your account',
  summary: 'Remove what login stored: one profile, or all',
  usage: '',
  examples: ['logout', 'logout --profile staging'],
  options: {},
  run: (given, context) => {
    const path = configPath(context.env);
    const name = given.text('profile');
    const removed = name === undefined ? removeFile(path) : removeProfile(path, name);
    const what = name === undefined ? path : `the profile ${name}`;
    if (context.json) printJson(context, { path, profile: name ?? null, removed });
    else context.out(removed ? `Removed ${what}.\n` : `There is no ${what}.\n`);
    return Promise.resolve();
  },
};

const profileTable = {
  heads: ['name', 'current', 'url'],
  cells: ({ name, current, url }: ReturnType<typeof shownProfiles>[number]) => [
    name,
    current ? 'yes' : '',
    url,
  ],
};

export const profiles = noun({
  name: 'profiles',
  group: 'Your account',
  summary: 'List, choose or delete the gateways that login stored',
  options: {},
  verbs: {
    list: {
      summary: 'list them, without their keys',
      usage: '',
      example: 'profiles list',
      run: (_name, _given, context) => {
        showList(context, 'profiles', shownProfiles(context), profileTable);
        return Promise.resolve();
      },
    },
    use: {
      summary: 'make this one the default',
      usage: '<name>',
      example: 'profiles use staging',
      run: (name, _given, context) => {
        const path = configPath(context.env);
        const known = readProfiles(path);
        if (!Object.hasOwn(known.profiles, name))
          throw noProfile(name, Object.keys(known.profiles));
        writeProfiles(path, { ...known, current: name });
        showNamed(name, context);
        return Promise.resolve();
      },
    },
    delete: {
      summary: 'remove this one and its key',
      usage: '<name>',
      example: 'profiles delete staging --yes',
      loses: 'The key of the profile is lost unless you have a copy.',
      run: (name, _given, context) => {
        const path = configPath(context.env);
        const removed = shownProfiles(context).find((one) => one.name === name);
        if (!removed) throw noProfile(name, Object.keys(readProfiles(path).profiles));
        removeProfile(path, name);
        showOne(context, removed, profileTable);
        return Promise.resolve();
      },
    },
  },
});

function shownProfiles({ env }: Pick<Context, 'env'>) {
  const known = readProfiles(configPath(env));
  return Object.entries(known.profiles).map(([name, { url }]) => ({
    name,
    current: name === known.current,
    url,
  }));
}

function showNamed(name: string, context: Context): void {
  const one = shownProfiles(context).find((known) => known.name === name);
  if (one) showOne(context, one, profileTable);
}

export const whoami: Command = {
  name: 'whoami',
  group: 'Your account',
  summary: 'Show which gateway and key the commands use, and where they come from',
  usage: '',
  examples: ['whoami'],
  working: 'Asking the gateway',
  options: {},
  run: async (_given, context) => {
    const { credentials, signal, env } = context;
    const url = credentials.url();
    const key = credentials.apiKey();
    const [health, money] = await Promise.all([
      readHealth(context),
      context.client().balance({ signal }),
    ]);
    const shown = `${key.value.slice(0, shownKeyChars)}…`;
    const found = {
      url: context.url(),
      url_from: url.from,
      key: shown,
      key_from: key.from,
      ...health,
      balance_usd: money.balance_usd,
      has_operator_token: Boolean(env['TRIVIUM_ADMIN_TOKEN']),
    };
    if (context.json) return printJson(context, found);
    const rows = [
      ['gateway', `${found.url}, from ${url.from}`],
      ['version', `${health.version}, ${health.mode}`],
      ['key', `${shown} from ${key.from}`],
      ['balance', `${formatUsd(money.balance_usd)} USD`],
      ['operator', found.has_operator_token ? 'TRIVIUM_ADMIN_TOKEN is set' : 'no token'],
    ];
    context.out(formatTable(['what', 'value'], rows, context));
  },
};

/** As many characters of a key as the dashboard shows. */
const shownKeyChars = 12;

/** An unusable file is not an error here, because it is about to be replaced. */
function profilesToReplace(path: string): Profiles {
  try {
    return readProfiles(path);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { current: defaultProfile, profiles: {} };
  }
}

async function urlFor(
  given: ParsedArguments,
  context: Context,
  stored: string | undefined,
): Promise<string> {
  const known = given.text('url') ?? (context.env['TRIVIUM_URL'] || undefined);
  if (known !== undefined) return known;
  const proposed = stored ?? defaultUrl;
  if (!context.input.inIsTerminal) return proposed;
  return (await context.input.ask(`Gateway (${proposed}): `)).trim() || proposed;
}

/** From --key, typed without echo, or the first line of standard input. */
async function keyFor(given: ParsedArguments, { input }: Context): Promise<string> {
  const typed = given.text('key');
  if (typed !== undefined) return typed;
  const read = input.inIsTerminal
    ? await input.ask('API key (not shown): ', { hidden: true })
    : await input.readLine();
  return read.trim();
}
