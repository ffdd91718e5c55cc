// The effective settings, for operators to read. Secrets are hidden, and addresses are shown
// without credentials.
import type { SettingLine } from '@trivium/contract';
import type { z } from 'zod';
import { nameOfDatabase } from './database-url.ts';
import type { Declaration } from './upstreams.ts';

type Given = Readonly<Record<string, string>>;

/** Everything with such a name is hidden, including settings that are added later. */
const secretName = /(SECRET|TOKEN|PASSWORD|KEY|KEYS|CREDENTIAL|CREDENTIALS)$/;

export function showSettings(
  variables: Readonly<Record<string, z.core.$ZodType>>,
  given: Given,
  declarations: readonly Declaration[],
): SettingLine[] {
  const gateway = Object.entries(variables).map(([name, schema]) =>
    lineOf(name, given[name] ?? textOf(defaultOf(schema)), given, null),
  );
  const providers = declarations.flatMap(({ id, credential, hosts }) => [
    ...credential.env.map((name) => lineOf(name, given[name] ?? null, given, id)),
    ...Object.values(hosts).map(({ env, default: fallback }) =>
      lineOf(env, given[env] ?? fallback, given, id),
    ),
  ]);
  // Two products of one vendor share variables.
  const seen = new Set<string>();
  return [...gateway, ...providers].filter(({ name }) => !seen.has(name) && seen.add(name));
}

function lineOf(
  name: string,
  value: string | null,
  given: Given,
  provider: SettingLine['provider'],
): SettingLine {
  const isSecret = secretName.test(name);
  const displayed = value === null || isSecret ? null : withoutCredentials(name, value);
  return {
    name,
    value: displayed,
    is_set: given[name] !== undefined,
    is_secret: isSecret,
    provider,
  };
}

function withoutCredentials(name: string, value: string): string {
  if (name === 'DATABASE_URL') return nameOfDatabase(value);
  const url = /^[a-z]+:\/\//i.test(value) ? URL.parse(value) : null;
  if (!url || (url.username === '' && url.password === '' && url.search === '')) return value;
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** The default as an operator writes it. Undefined if there is none, or if it is worked out. */
export function defaultOf(schema: z.core.$ZodType): unknown {
  const { def } = schema._zod as { def: Wrapping };
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
