// Where the sources of a package are: the public address of the clone that builds it.
import { projectRoot, runCommand } from '../command.ts';

const limitMs = 10_000;

/** For a package.json. Empty when the clone has no public address: none is invented. */
export async function readRepository(
  directory?: string,
): Promise<{ repository?: object; homepage?: string }> {
  const args = ['-C', projectRoot, 'remote', 'get-url', 'origin'];
  const { code, output } = await runCommand('git', args, { capture: true, limitMs });
  const homepage = code === 0 ? publicAddress(output.trim()) : undefined;
  if (homepage === undefined) return {};
  const at = directory === undefined ? {} : { directory };
  return { homepage, repository: { type: 'git', url: `git+${homepage}.git`, ...at } };
}

/** `https://host/owner/name`, of an https or an SSH address; never with a user or a password. */
export function publicAddress(remote: string): string | undefined {
  const found =
    /^https:\/\/(?:[^/@\s]+@)?([\w.-]+(?::\d+)?\/[\w./-]+)$/.exec(remote) ??
    /^(?:ssh:\/\/)?git@([\w.-]+[:/][\w./-]+)$/.exec(remote);
  const place = found?.[1]?.replace(/^([\w.-]+):(?!\d+\/)/, '$1/').replace(/\/*(?:\.git)?\/*$/, '');
  return place === undefined ? undefined : `https://${place}`;
}
