// Sandbox mode: simulated vendors on a loopback port, which the gateway calls over HTTP like any
// other upstream.
import type { Sandbox } from '@trivium/sandbox';
import {
  type Declaration,
  readUpstreams,
  type Settings,
  type Upstreams,
} from '../settings/index.ts';

interface UpstreamSelection {
  upstreams: Upstreams;
  sandbox?: RunningSandbox;
}

type RunningSandbox = Pick<Sandbox, 'url' | 'stop'>;

export async function chooseUpstreams(
  settings: Settings,
  declarations: readonly Declaration[],
  shared: { sandboxUrl?: string | undefined } = {},
): Promise<UpstreamSelection> {
  if (settings.mode === 'live') return { upstreams: settings.upstreams };
  const { mounts } = await loadSandbox();
  const sandbox =
    shared.sandboxUrl === undefined
      ? await openSandbox(settings)
      : { url: shared.sandboxUrl, stop: () => Promise.resolve() };
  return { sandbox, upstreams: sandboxUpstreams(sandbox.url, mounts, declarations) };
}

export async function openSandbox(
  settings: Pick<Settings, 'reader' | 'public_url'>,
): Promise<RunningSandbox> {
  const { startSandbox } = await loadSandbox();
  return startSandbox({
    reader: settings.reader,
    ...(settings.public_url === undefined ? {} : { contact: settings.public_url }),
  });
}

/** Loaded on demand: its pages are large, and real deployments do not need them. */
const loadSandbox = () => import('@trivium/sandbox');

/** Must not occur in any page, because credentials are redacted from every answer. */
const sandboxCredential = 'sandbox-credential';

/** Reads variables that point at the sandbox in the same way as those of real vendors. */
function sandboxUpstreams(
  url: string,
  mounts: readonly { mount: string; setting: string }[],
  declarations: readonly Declaration[],
): Upstreams {
  const variables: Record<string, string> = {};
  for (const { mount, setting } of mounts) variables[setting] = url + mount;
  const simulated = declarations.filter(({ hosts }) =>
    Object.values(hosts).every(({ env }) => env in variables),
  );
  for (const { credential } of simulated) variables[credential.env[0] ?? ''] = sandboxCredential;
  const { upstreams } = readUpstreams(variables, simulated);
  // The sandbox reads no pages of the operator's network, so no request to it has to be refused.
  return Object.fromEntries(
    Object.entries(upstreams).map(([id, { overridden: _overridden, ...upstream }]) => [
      id,
      upstream,
    ]),
  );
}
