// The file that `trivium login` writes: one gateway and key per profile, readable by this person
// only.
import { didYouMean } from '@trivium/contract';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { UsageError } from './command.ts';

export interface Config {
  url: string;
  api_key: string;
}

export interface Profiles {
  /** The profile that is used when none is named. */
  current: string;
  profiles: Readonly<Record<string, Config>>;
}

export const defaultProfile = 'default';

type Environment = Readonly<Record<string, string | undefined>>;

/** Below XDG_CONFIG_HOME, which must be absolute to count, or else below ~/.config. */
export function configPath(env: Environment): string {
  const given = env['XDG_CONFIG_HOME'];
  const home = env['HOME'] || homedir();
  const folder = given && isAbsolute(given) ? given : join(home, '.config');
  return join(folder, 'trivium', 'config.json');
}

/**
 * Returns no profiles if there is no file; throws a UsageError for a file that cannot be trusted.
 */
export function readProfiles(path: string): Profiles {
  try {
    const { mode, size } = statFile(path);
    if (process.platform !== 'win32' && (mode & othersMask) !== 0) {
      throw new UsageError(`Other users can read ${path}. Run chmod 600 '${path}'.`);
    }
    if (size > maxBytes) throw unusable(path, 'is too large');
    return parse(path, readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { current: defaultProfile, profiles: {} };
    throw unusable(path, `cannot be read (${code ?? String(error)})`);
  }
}

/** The named profile, which must exist, or the current one, if there is any. */
export function readConfig(path: string, named?: string): Config | undefined {
  const { current, profiles } = readProfiles(path);
  const name = named ?? current;
  if (Object.hasOwn(profiles, name)) return profiles[name];
  if (named !== undefined) throw noProfile(named, Object.keys(profiles));
  return undefined;
}

export function noProfile(name: string, known: readonly string[]): UsageError {
  const near = didYouMean(name, known) || ` Create it with trivium login --profile ${name}.`;
  return new UsageError(`There is no profile ${name}.${near}`);
}

/** Throws a UsageError for a name that cannot be typed or shown well. */
export function checkProfileName(name: string): string {
  if (/^[\w.-]{1,40}$/.test(name)) return name;
  throw new UsageError(
    'The name of a profile must consist of 1 to 40 letters, digits, dots, - and _.',
  );
}

/** Replaces the file atomically, so that a reader sees either the old or the new one. */
export function writeProfiles(path: string, { current, profiles }: Profiles): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify({ current, profiles }, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
    });
    renameSync(draft, path);
  } catch (error) {
    throw new UsageError(`${path} cannot be written (${codeOf(error)}).`);
  }
}

/** Returns true if the profile existed. Removing the last profile removes the file. */
export function removeProfile(path: string, name: string): boolean {
  const { current, profiles } = readProfiles(path);
  if (!Object.hasOwn(profiles, name)) return false;
  const { [name]: _removed, ...others } = profiles;
  const [first] = Object.keys(others);
  if (first === undefined) return removeFile(path);
  writeProfiles(path, { current: current === name ? first : current, profiles: others });
  return true;
}

/** Returns true if the file existed. */
export function removeFile(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return false;
    throw new UsageError(`${path} cannot be removed (${codeOf(error)}).`);
  }
}

const othersMask = 0o077;
const maxBytes = 65_536;

function statFile(path: string) {
  const stat = statSync(path);
  if (!stat.isFile()) throw unusable(path, 'is not a file');
  return stat;
}

function parse(path: string, text: string): Profiles {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(path, 'is not JSON');
  }
  const { current, profiles, ...rest } = Object(value) as Record<string, unknown>;
  // Earlier versions stored a single gateway.
  if (isConfig(rest)) {
    return { current: defaultProfile, profiles: { [defaultProfile]: pickConfig(rest) } };
  }
  const entries = Object.entries(Object(profiles) as Record<string, unknown>);
  const known = entries.flatMap(([name, one]) => (isConfig(one) ? [[name, pickConfig(one)]] : []));
  if (typeof current === 'string' && known.length > 0 && known.length === entries.length) {
    return { current, profiles: Object.fromEntries(known) as Profiles['profiles'] };
  }
  throw unusable(path, 'does not have url and api_key for each profile');
}

function isConfig(value: unknown): value is Config {
  const { url, api_key } = Object(value) as Record<string, unknown>;
  return typeof url === 'string' && typeof api_key === 'string';
}

function pickConfig({ url, api_key }: Config): Config {
  return { url, api_key };
}

function unusable(path: string, why: string): UsageError {
  return new UsageError(`${path} ${why}. Create it again with trivium login, or remove it.`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
