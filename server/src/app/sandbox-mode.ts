// Sandbox mode: simulated vendors on a loopback port, which the gateway calls over HTTP like any
// other upstream.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '@trivium/sandbox';
import { machine } from '../platform/machine.ts';
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

interface RunningSandbox extends Pick<Sandbox, 'url' | 'stop'> {
  /** Signs callbacks of the sandbox, so that all processes of a gateway can verify them. */
  secret: string;
}

/** The sandbox of another process of this gateway. */
interface SharedSandbox {
  sandboxUrl?: string | undefined;
  sandboxSecret?: string | undefined;
}

/** `gatewayUrl` returns where this process listens. Undefined until it does. */
export async function chooseUpstreams(
  settings: Settings,
  declarations: readonly Declaration[],
  gatewayUrl: () => string | undefined,
  { sandboxUrl, sandboxSecret = '' }: SharedSandbox = {},
): Promise<UpstreamSelection> {
  if (settings.mode === 'live') return { upstreams: settings.upstreams };
  const { mounts } = await loadSandbox();
  const sandbox =
    sandboxUrl === undefined
      ? await openSandbox(settings, gatewayUrl)
      : { url: sandboxUrl, secret: sandboxSecret, stop: () => Promise.resolve() };
  return { sandbox, upstreams: sandboxUpstreams(sandbox.url, mounts, declarations) };
}

export async function openSandbox(
  settings: Pick<Settings, 'reader' | 'public_url' | 'data_dir'>,
  gatewayUrl: () => string | undefined,
): Promise<RunningSandbox> {
  const { startSandbox } = await loadSandbox();
  const { public_url } = settings;
  const secret = machine.randomBytes(secretBytes).toString('hex');
  await mkdir(settings.data_dir, { recursive: true });
  const sandbox = await startSandbox({
    reader: settings.reader,
    ...(public_url === undefined
      ? { gateway: { url: gatewayUrl, webhook_secret: secret } }
      : { contact: public_url }),
    callbacks_file: join(settings.data_dir, 'sandbox-callbacks.jsonl'),
  });
  return { ...sandbox, secret };
}

const secretBytes = 32;

/** What a gateway without a public address needs, so that its sandbox can call it back. */
export function sandboxExtras(
  { secret }: Pick<RunningSandbox, 'secret'>,
  { public_url, extras }: Pick<Settings, 'public_url' | 'extras'>,
): Record<string, string> | undefined {
  if (public_url !== undefined) return undefined;
  return {
    ...extras,
    ELEVENLABS_WEBHOOK_ID: 'wh_gateway',
    ELEVENLABS_WEBHOOK_SECRET: secret,
  };
}

/** Loaded on demand: its pages are large, and live deployments do not need them. */
const loadSandbox = () => import('@trivium/sandbox');

/** Must not occur in any page, because credentials are redacted from every answer. */
const sandboxCredential = 'sandbox-credential';

/**
 * Builds the variables that point at the sandbox, which are read in the same way as those of real
 * vendors.
 */
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
  // The sandbox reads no pages from the operator's network, so no request to it has to be refused.
  return Object.fromEntries(
    Object.entries(upstreams).map(([id, { overridden: _overridden, ...upstream }]) => [
      id,
      upstream,
    ]),
  );
}
