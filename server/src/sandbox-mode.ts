// Sandbox mode: the vendors are played on a loopback port, and the gateway reaches them over HTTP
// like any other address.
import type { Sandbox } from '@trivium/sandbox';
import { readUpstreams } from './platform/upstreams.ts';
import type { Declaration, Upstreams } from './platform/upstreams.ts';
import type { Settings } from './platform/settings.ts';

export interface Upstairs {
  upstreams: Upstreams;
  sandbox?: Sandbox;
}

export async function chooseUpstreams(
  settings: Settings,
  declarations: readonly Declaration[],
): Promise<Upstairs> {
  const wanted =
    settings.sandbox === 'on' ||
    (settings.sandbox === 'auto' && Object.keys(settings.upstreams).length === 0);
  if (!wanted) return { upstreams: settings.upstreams };
  // Its pages are large, and nobody needs them where real vendors are asked.
  const { mounts, startSandbox } = await import('@trivium/sandbox');
  const sandbox = await startSandbox({
    reader: settings.reader,
    ...(settings.public_url === undefined ? {} : { contact: settings.public_url }),
  });
  return { sandbox, upstreams: playedUpstreams(sandbox.url, mounts, declarations) };
}

/** No word that a page may hold, since it is taken out of every answer. */
const playedCredential = 'sandbox-credential';

/** The same reading as for real vendors, over variables that point at the sandbox. */
function playedUpstreams(
  url: string,
  mounts: readonly { mount: string; setting: string }[],
  declarations: readonly Declaration[],
): Upstreams {
  const variables: Record<string, string> = {};
  for (const { mount, setting } of mounts) variables[setting] = url + mount;
  const played = declarations.filter(({ hosts }) =>
    Object.values(hosts).every(({ env }) => env in variables),
  );
  for (const { credential } of played) variables[credential.env[0] ?? ''] = playedCredential;
  const { upstreams } = readUpstreams(variables, played);
  // The sandbox reads no page of the operator's network, so all that a vendor takes may be asked.
  return Object.fromEntries(
    Object.entries(upstreams).map(([id, { overridden: _own, ...upstream }]) => [id, upstream]),
  );
}
