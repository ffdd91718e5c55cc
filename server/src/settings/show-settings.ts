// The effective settings, for operators to read. Secrets are hidden, and addresses are shown
// without credentials.
import type { SettingLine } from '@trivium/contract';
import { nameOfDatabase } from './database-url.ts';
import type { Declaration } from './upstreams.ts';

type Given = Readonly<Record<string, string>>;

/** Everything with such a name is hidden, including settings that are added later. */
const secretName = /(SECRET|TOKEN|PASSWORD|KEY|KEYS|CREDENTIAL|CREDENTIALS)$/;

/** `effective` contains the parsed values and the defaults. */
export function showSettings(
  names: readonly string[],
  effective: Readonly<Record<string, unknown>>,
  given: Given,
  declarations: readonly Declaration[],
): SettingLine[] {
  const gateway = names.map((name) =>
    lineOf(name, given[name] ?? textOf(effective[name]), given, null),
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

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
