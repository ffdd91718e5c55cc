// Settings: the environment variables, parsed once at start. All faults are reported together, each
// with the name of its variable.
import { hourMs } from '@trivium/contract/durations';
import { z } from 'zod';
import { StartError } from '../platform/start-error.ts';
import { readBucket } from './bucket-setting.ts';
import { findMisspelt } from './misspelt.ts';
import { dataDirOf, modeOf } from './mode.ts';
import { readDefaults } from './request-defaults.ts';
import { readRouting } from './routing-settings.ts';
import { readShadow } from './shadow-settings.ts';
import { showSettings } from './show-settings.ts';
import { readSingleSignOn } from './single-sign-on.ts';
import { type Declaration, readUpstreams } from './upstreams.ts';
import { namedVariables, variables, vendorVariables } from './variables.ts';

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
  const displayed = showSettings(variables, given, declarations);
  const known = displayed.map(({ name }) => name);
  const { faults: misspelt, unknown } = findMisspelt(Object.keys(given), known);
  faults.push(...misspelt);
  if (!parsed.success || faults.length > 0) throw new StartError(faults.join('\n'));
  const v = parsed.data;
  const mode = modeOf(v.TRIVIUM_SANDBOX, Object.keys(upstreams).length);
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
    extras: extrasIn(given),
    /** What an operator may read of all these. Secrets are hidden. */
    displayed,
  });
}

type Values = z.output<z.ZodObject<typeof namedVariables>>;
type Named = {
  [Name in keyof Values as Lowercase<Name extends `TRIVIUM_${infer Rest}` ? Rest : Name>]: Exclude<
    Values[Name],
    undefined
  >;
};

function named(values: Values): Named {
  const entries = Object.keys(namedVariables).flatMap((name) => {
    const value = values[name as keyof Values];
    return value === undefined ? [] : [[name.replace(/^TRIVIUM_/, '').toLowerCase(), value]];
  });
  return Object.fromEntries(entries) as Named;
}

function extrasIn(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => Object.hasOwn(vendorVariables, name)),
  );
}

/** What needs another variable, and the rest of the sentence that says so. */
const needs: readonly [keyof typeof variables, keyof typeof variables, string][] = [
  ['DATABASE_URL', 'TRIVIUM_SECRET', ', the same on every gateway'],
  ['TRIVIUM_SHADOW_SHARE', 'TRIVIUM_SHADOW_KEY', ': its account pays for the calls'],
  ['TRIVIUM_S3_URL', 'AWS_SECRET_ACCESS_KEY', ', and so is AWS_ACCESS_KEY_ID'],
  ['TRIVIUM_OIDC_ISSUER', 'TRIVIUM_OIDC_CLIENT_SECRET', ', and so is TRIVIUM_OIDC_CLIENT_ID'],
  [
    ...(['TRIVIUM_OIDC_ISSUER', 'TRIVIUM_PUBLIC_URL'] as const),
    ': people are sent back to it after signing in',
  ],
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
    const message = `must name at least ${leastShadowEngines} engines when TRIVIUM_SHADOW_SHARE is set`;
    refuse('TRIVIUM_SHADOW_ENGINES', message);
  }
  if (v.TRIVIUM_KEEP_ANSWER_HOURS > v.TRIVIUM_KEEP_QUERY_HOURS) {
    const message =
      'must not be more than TRIVIUM_KEEP_QUERY_HOURS: an answer reveals what was asked';
    refuse('TRIVIUM_KEEP_ANSWER_HOURS', message);
  }
});

/** How long the rows of the request log are kept. */
export function logKeptMs(
  settings: Pick<Settings, 'request_log_days' | 'request_log_hours'>,
): number {
  return (settings.request_log_hours ?? settings.request_log_days * 24) * hourMs;
}
