// Installs the newest clients of the vendors into a folder: those for Python, which are released more
// often, and for Brave its MCP server. Serper and Jina publish none.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../scripts/command.ts';
import { prepareInstaller } from '../python/environment.ts';

/** By vendor, as pip names them. */
const pythonPackages = {
  assemblyai: 'assemblyai',
  deepgram: 'deepgram-sdk',
  elevenlabs: 'elevenlabs',
  exa: 'exa-py',
  firecrawl: 'firecrawl-py',
  linkup: 'linkup-sdk',
  parallel: 'parallel-web',
  perplexity: 'perplexityai',
  tavily: 'tavily-python',
  valyu: 'valyu',
  you: 'youdotcom',
} as const;
/** AssemblyAI's client falls back to the models of pydantic 1 without it. */
const neededByThem = 'pydantic-settings';
export const bravePackage = '@brave/brave-search-mcp-server';
const installLimitMs = 8 * 60_000;

/** The interpreter with all of them, or why there is none. */
export async function installForPython(
  folder: string,
): Promise<PythonClients | { missing: string }> {
  const installer = await prepareInstaller();
  if ('missing' in installer) return installer;
  const made = await installer.createEnvironment(folder);
  const windows = process.platform === 'win32';
  const program = join(folder, windows ? 'Scripts' : 'bin', windows ? 'python.exe' : 'python');
  const packages = [...Object.values(pythonPackages), neededByThem];
  const installed = made.code === 0 ? await installer.install(program, packages) : made;
  if (installed.code !== 0) return { missing: lastLine(installed.output) };
  const notNewest = async (name: string, version: string) => {
    const newest = await installer.newestRelease(name);
    if ('missing' in newest) return `its newest release is unknown: ${newest.missing}`;
    if (newest.version === version) return undefined;
    const release = `${name}==${newest.version}`;
    const { output } = await installer.install(program, ['--dry-run', release]);
    return `the newest release ${newest.version} was not installed: ${lastLine(output)}`;
  };
  return { program, notNewest };
}

interface PythonClients {
  program: string;
  /** Why the installed version is not the newest one in the index. Undefined if it is. */
  notNewest: (name: string, version: string) => Promise<string | undefined>;
}

/** The folder of the installed package, or why there is none. */
export async function installBrave(
  folder: string,
): Promise<{ folder: string } | { missing: string }> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--omit=dev', '--loglevel=error'];
  const args = ['install', '--prefix', folder, ...flags, `${bravePackage}@latest`];
  const { code, output } = await runCommand('npm', args, {
    capture: true,
    limitMs: installLimitMs,
  });
  return code === 0
    ? { folder: join(folder, 'node_modules', bravePackage) }
    : { missing: lastLine(output) };
}

/** Where installers say why they failed. */
export function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}
