// The file that `trivium login` writes: the address of a gateway and a key, for this person only.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { UsageError } from './command.ts';

export interface Config {
  url: string;
  api_key: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Below XDG_CONFIG_HOME, which must be absolute to count, or else below ~/.config. */
export function configPath(env: Environment): string {
  const given = env['XDG_CONFIG_HOME'];
  const home = env['HOME'] || homedir();
  const folder = given && isAbsolute(given) ? given : join(home, '.config');
  return join(folder, 'trivium', 'config.json');
}

/** Undefined if there is no such file; throws a UsageError for one that cannot be trusted. */
export function readConfig(path: string): Config | undefined {
  try {
    const { mode, size } = statFile(path);
    if (process.platform !== 'win32' && (mode & othersMask) !== 0) {
      throw new UsageError(`Other users may read ${path}. Run chmod 600 '${path}'.`);
    }
    if (size > maxBytes) throw unusable(path, 'is too large');
    return parse(path, readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unusable(path, `cannot be read (${code ?? String(error)})`);
  }
}

/** Replaces the file at once, so that a reader sees the old one or the new one. */
export function writeConfig(path: string, { url, api_key }: Config): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify({ url, api_key }, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
    });
    renameSync(draft, path);
  } catch (error) {
    throw new UsageError(`${path} cannot be written (${codeOf(error)}).`);
  }
}

/** True if there was a file. */
export function removeConfig(path: string): boolean {
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

function parse(path: string, text: string): Config {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(path, 'is not JSON');
  }
  const { url, api_key } = Object(value) as Record<string, unknown>;
  if (typeof url === 'string' && typeof api_key === 'string') return { url, api_key };
  throw unusable(path, 'does not have url and api_key');
}

function unusable(path: string, why: string): UsageError {
  return new UsageError(`${path} ${why}. Write it anew with trivium login, or remove it.`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
