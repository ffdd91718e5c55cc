// Settings: the environment variables, parsed once at start. All faults are reported together, each
// with the name of its variable.
import { join } from 'node:path';
import { closest, type ProviderId, type SettingLine } from '@trivium/contract';
import { hourMs } from '@trivium/contract/durations';
import { z } from 'zod';
import { StartError } from '../platform/start-error.ts';
import { readBucket, readDefaults, readRouting, readShadow, readSingleSignOn } from './groups.ts';
import { nameOfDatabase } from './database-url.ts';
import { httpUrl, listIn, withoutEndSlash } from './values.ts';
import { namedVariables, variables, vendorVariables } from './variables.ts';

type Given = Readonly<Record<string, string>>;

export type Environment = Readonly<Record<string, string | undefined>>;

export type Settings = ReturnType<typeof readSettings>;

/** Only the gateway's own sandbox can resolve this address. */
const sandboxCallbacks = 'https://gateway.invalid';

/** Load balancers usually ask every second or two whether a gateway is ready. */
const liveDrainMs = 2000;

export function readSettings(env: Environment, declarations: readonly Declaration[]) {
  const given: Record<string, string> = {};
  // An empty variable counts as not set.
  for (const name in env) if (env[name]?.trim()) given[name] = env[name].trim();
  const parsed = Variables.safeParse(given);
  const { upstreams, faults } = readUpstreams(given, declarations);
  if (!parsed.success) {
    const { issues } = parsed.error;
    faults.unshift(...issues.map(({ path, message }) => `${String(path[0])} ${message}.`));
  }
  const displayed = showSettings(given, declarations);
  const known = displayed.map(({ name }) => name);
  const { faults: misspelt, unknown } = findMisspelt(Object.keys(given), known);
  faults.push(...misspelt);
  if (!parsed.success || faults.length > 0) throw new StartError(faults.join('\n'));
  const v = parsed.data;
  const isSandbox =
    v.TRIVIUM_SANDBOX === 'on' ||
    (v.TRIVIUM_SANDBOX === 'auto' && Object.keys(upstreams).length === 0);
  const mode = isSandbox ? 'sandbox' : 'live';
  const callbackBase = v.TRIVIUM_PUBLIC_URL ?? (mode === 'sandbox' ? sandboxCallbacks : undefined);
  const shadow = readShadow(v);
  return Object.freeze({
    ...named(v),
    mode,
    /** As configured. The store of each mode is in a folder below it. */
    configured_dir: v.TRIVIUM_DATA_DIR,
    /** Where this gateway's embedded store is. */
    data_dir: dataDirOf(v.TRIVIUM_DATA_DIR, mode),
    /**
     * Where providers call back: the public address, or in the sandbox an address that only the
     * sandbox resolves, because it is part of the gateway.
     */
    ...(callbackBase === undefined ? {} : { callback_base: callbackBase }),
    drain_ms: v.TRIVIUM_DRAIN_MS ?? (mode === 'sandbox' ? 0 : liveDrainMs),
    /** Where uploads are stored. If undefined, in the data directory. */
    bucket: readBucket(v),
    single_sign_on: readSingleSignOn(v, v.TRIVIUM_PUBLIC_URL),
    /** Searches that are repeated on other engines; absent when none is. */
    ...(shadow ? { shadow } : {}),
    ...readRouting(v),
    /** Parameters for requests that omit them. */
    request_defaults: readDefaults(v),
    upstreams,
    /** Variables that look like settings but are not. */
    unknown_names: unknown,
    /** Optional vendor settings, by variable name. */
    extras: Object.fromEntries(
      Object.entries(given).filter(([name]) => Object.hasOwn(vendorVariables, name)),
    ),
    /** What an operator may read of all these. Secrets are hidden. */
    displayed,
  });
}

type Values = z.output<z.ZodObject<typeof namedVariables>>;
type SettingName<Name> = Lowercase<Name extends `TRIVIUM_${infer Rest}` ? Rest : Name & string>;
type Named = { [Name in keyof Values as SettingName<Name>]: Exclude<Values[Name], undefined> };

function named(values: Values): Named {
  const entries = Object.keys(namedVariables).flatMap((name) => {
    const value = values[name as keyof Values];
    return value === undefined ? [] : [[name.replace(/^TRIVIUM_/, '').toLowerCase(), value]];
  });
  return Object.fromEntries(entries) as Named;
}

const afterSignIn = ': people are sent back to it after signing in';

/** What needs another variable, and the rest of the sentence that says so. */
const needs: readonly [keyof typeof variables, keyof typeof variables, string][] = [
  ['DATABASE_URL', 'TRIVIUM_SECRET', ', the same on every gateway'],
  ['TRIVIUM_SHADOW_SHARE', 'TRIVIUM_SHADOW_KEY', ': its account pays for the calls'],
  ['TRIVIUM_S3_URL', 'AWS_SECRET_ACCESS_KEY', ', and so is AWS_ACCESS_KEY_ID'],
  ['TRIVIUM_OIDC_ISSUER', 'TRIVIUM_OIDC_CLIENT_SECRET', ', and so is TRIVIUM_OIDC_CLIENT_ID'],
  ['TRIVIUM_OIDC_ISSUER', 'TRIVIUM_PUBLIC_URL', afterSignIn],
];

/** An engine alone cannot be compared: two others have to agree or disagree with it. */
const leastShadowEngines = 2;

const Variables = z.object(variables).check(({ value: v, issues }) => {
  const refuse = (name: keyof typeof v, message: string) =>
    issues.push({ code: 'custom', input: v, path: [name], message });
  for (const [name, needed, rest] of needs) {
    if (v[name] && v[needed] === undefined) refuse(needed, `is required with ${name}${rest}`);
  }
  if (v.TRIVIUM_SHADOW_SHARE > 0 && v.TRIVIUM_SHADOW_ENGINES.length < leastShadowEngines) {
    const least = `must name at least ${leastShadowEngines} engines`;
    refuse('TRIVIUM_SHADOW_ENGINES', `${least} when TRIVIUM_SHADOW_SHARE is set`);
  }
  if (v.TRIVIUM_KEEP_ANSWER_HOURS > v.TRIVIUM_KEEP_QUERY_HOURS) {
    const reason = 'an answer reveals what was asked';
    refuse(
      'TRIVIUM_KEEP_ANSWER_HOURS',
      `must not be more than TRIVIUM_KEEP_QUERY_HOURS: ${reason}`,
    );
  }
});

/** How long the rows of the request log are kept. */
export function logKeptMs({
  request_log_days: days,
  request_log_hours: hours = days * 24,
}: Pick<Settings, 'request_log_days' | 'request_log_hours'>): number {
  return hours * hourMs;
}

export type Mode = 'live' | 'sandbox';

export function isMode(value: unknown): value is Mode {
  return value === 'live' || value === 'sandbox';
}

/** The sandbox has its own folder, so that play money never becomes a live balance. */
export function dataDirOf(configured: string, mode: Mode): string {
  return mode === 'sandbox' ? join(configured, 'sandbox') : configured;
}

/** The variables of a provider, as its adapter declares them. */
export interface Declaration {
  id: ProviderId;
  credential: { env: readonly string[]; not_needed_with_base?: boolean };
  hosts: Readonly<Record<string, { env: string; default: string }>>;
}

export interface Upstream {
  /** Undefined if the provider needs none at its overridden address. */
  key?: string;
  /** Further credentials, used in rotation with the first. */
  spare_keys?: readonly string[];
  hosts: Readonly<Record<string, string>>;
  /** The operator set the address, which may be in a private network. */
  overridden?: true;
}

export type Upstreams = Readonly<Partial<Record<ProviderId, Upstream>>>;

export function readUpstreams(
  given: Given,
  declarations: readonly Declaration[],
): { upstreams: Upstreams; faults: string[] } {
  const upstreams: Partial<Record<ProviderId, Upstream>> = {};
  const faults: string[] = [];
  for (const { id, credential, hosts } of declarations) {
    const addresses: Record<string, string> = {};
    let overridden = false;
    for (const [role, { env, default: fallback }] of Object.entries(hosts)) {
      const override = given[env];
      if (override !== undefined && !httpUrl.safeParse(override).success) {
        faults.push(`${env} must be an http or https address.`);
      }
      overridden ||= override !== undefined;
      addresses[role] = withoutEndSlash(override ?? fallback);
    }
    const overrides = overridden ? { overridden: true as const } : {};
    const list = credential.env.map((name) => given[name]).find((value) => value !== undefined);
    // Duplicates are dropped.
    const [key, ...spareKeys] = new Set(listIn(list ?? ''));
    if (key !== undefined) {
      const spare = spareKeys.length > 0 ? { spare_keys: spareKeys } : {};
      upstreams[id] = { key, ...spare, hosts: addresses, ...overrides };
    }
    if (key === undefined && credential.not_needed_with_base && overridden) {
      upstreams[id] = { hosts: addresses, ...overrides };
    }
  }
  return { upstreams, faults };
}

/** Names of our own commands, clients and tests, and names that Kubernetes sets for a service. */
const otherNames =
  /^TRIVIUM_(?:URL|API_KEY|PROFILE|SUPERVISED|CHROMIUM|TEST_\w+|PORT|PORT_\w+|SERVICE_\w+)$/;

/** `unknown` are names that look like settings but resemble no known one. */
export function findMisspelt(names: readonly string[], known: readonly string[]) {
  const byLetters = new Map(known.map((name) => [lettersOf(name), name]));
  const given = new Set(names);
  const found = { faults: [] as string[], unknown: [] as string[] };
  for (const name of names) {
    if (known.includes(name) || otherNames.test(name)) continue;
    const meant = byLetters.get(lettersOf(name)) ?? credentialMeant(name, known);
    if (meant !== undefined) {
      // Another program may use the other spelling.
      if (!given.has(meant)) found.faults.push(`${name} is not a setting. Did you mean ${meant}?`);
    } else if (name.startsWith('TRIVIUM_')) {
      const near = closest(name, known, 2);
      if (near === undefined) found.unknown.push(name);
      else found.faults.push(`${name} is not a setting. Did you mean ${near}?`);
    }
  }
  return found;
}

/** `EXA_APIKEY` and `exa_api_key` have the letters of `EXA_API_KEY`. */
function lettersOf(name: string): string {
  return name.replaceAll('_', '').toUpperCase();
}

const credentialName = /^([A-Z]+(?:_SEARCH)?)_(?:API_?|ACCESS_)?(?:KEYS?|TOKENS?|SECRET)$/i;
/** Shorter names differ in one letter from too many others. */
const minVendorLetters = 5;

/** `EXA_TOKEN` and `TAVILLY_API_KEY` are meant to be the credentials of Exa and Tavily. */
function credentialMeant(name: string, known: readonly string[]): string | undefined {
  const vendor = credentialName.exec(name)?.[1]?.toUpperCase();
  if (vendor === undefined) return undefined;
  const end = '_API_KEY';
  const vendors = known.flatMap((one) => (one.endsWith(end) ? one.slice(0, -end.length) : []));
  if (vendors.includes(vendor)) return vendor + end;
  const near = vendor.length < minVendorLetters ? undefined : closest(vendor, vendors, 1);
  return near === undefined ? undefined : near + end;
}

/** Everything with such a name is hidden, including settings that are added later. */
const secretName = /(SECRET|TOKEN|PASSWORD|KEY|KEYS|CREDENTIAL|CREDENTIALS)$/;

function showSettings(given: Given, declarations: readonly Declaration[]): SettingLine[] {
  const line = (name: string, byDefault: string | null, provider: SettingLine['provider']) => {
    const isSecret = secretName.test(name);
    const value = isSecret ? null : (given[name] ?? byDefault);
    return {
      name,
      value: value === null ? null : withoutCredentials(name, value),
      is_set: given[name] !== undefined,
      is_secret: isSecret,
      provider,
    };
  };
  const gateway = Object.entries(variables).map(([name, schema]) =>
    line(name, textOf(defaultOf(schema)), null),
  );
  const providers = declarations.flatMap(({ id, credential, hosts }) => [
    ...credential.env.map((name) => line(name, null, id)),
    ...Object.values(hosts).map(({ env, default: fallback }) => line(env, fallback, id)),
  ]);
  // Two products of one vendor share variables.
  const seen = new Set<string>();
  return [...gateway, ...providers].filter(({ name }) => !seen.has(name) && seen.add(name));
}

function withoutCredentials(name: string, value: string): string {
  if (name === 'DATABASE_URL') return nameOfDatabase(value);
  const url = /^[a-z]+:\/\//i.test(value) ? URL.parse(value) : null;
  if (!url || (url.username === '' && url.password === '' && url.search === '')) return value;
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** The default as an operator writes it. Undefined if there is none, or if it is worked out. */
export function defaultOf(schema: z.core.$ZodType): unknown {
  const { def } = schema._zod as unknown as { def: Wrapping };
  const inner = def.innerType ?? def.in;
  return def.defaultValue ?? (inner && defaultOf(inner));
}

interface Wrapping {
  defaultValue?: unknown;
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
}

export function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ');
  return ['string', 'number'].includes(typeof value) && value !== '' ? String(value) : null;
}
