// A context over a real sandbox, for tests that search: real requests, real time, faults on demand.
import { type ProviderId, providerIds } from '@trivium/contract';
import { mounts, startSandbox } from '@trivium/sandbox';
import { send } from '../../src/platform/http-client.ts';
import { providers } from '../../src/providers/registry.ts';
import type { ConfiguredProvider, UpstreamContext } from '../../src/upstream/context.ts';
import { upstreamContext } from '../upstream-context.ts';

export interface SandboxContext {
  /** A deployment with these providers configured and those switched off. */
  context: (configured: readonly ProviderId[], disabled?: readonly ProviderId[]) => UpstreamContext;
  fault: (mount: string, fault: string, more?: object) => Promise<void>;
  /** How many calls a mount has received since the last reset. */
  calls: (mount: string) => Promise<number>;
  /** Forgets faults and calls. */
  reset: () => Promise<void>;
  stop: () => Promise<void>;
}

export async function startSandboxContext(): Promise<SandboxContext> {
  const sandbox = await startSandbox();
  const addresses = new Map(mounts.map(({ setting, mount }) => [setting, sandbox.url + mount]));
  const control = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${sandbox.url}/__sandbox/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The sandbox refused: ${await response.text()}`);
    return response.json();
  };
  const configure = (id: ProviderId, state: ConfiguredProvider['state']): ConfiguredProvider => {
    const provider = providers[id];
    if (state !== 'configured') return { provider, state };
    const hosts = Object.fromEntries(
      Object.entries(provider.hosts).map(([role, { env }]) => [role, addresses.get(env) ?? '']),
    );
    return { provider, state, upstream: { key: 'sandbox-credential', hosts } };
  };
  return {
    context: (configured, disabled = []) => {
      const stateOf = (id: ProviderId) =>
        disabled.includes(id)
          ? 'disabled'
          : configured.includes(id)
            ? 'configured'
            : 'not_configured';
      const deployed = Object.fromEntries(
        providerIds.map((id) => [id, configure(id, stateOf(id))]),
      ) as Record<ProviderId, ConfiguredProvider>;
      return upstreamContext({ send, providers: deployed });
    },
    fault: async (mount, fault, more = {}) => {
      await control('POST', 'faults', { mount, fault, ...more });
    },
    calls: async (mount) => {
      const { calls } = (await control('GET', `calls?mount=${encodeURIComponent(mount)}`)) as {
        calls: unknown[];
      };
      return calls.length;
    },
    reset: async () => {
      await control('DELETE', 'faults');
      await control('DELETE', 'calls');
    },
    stop: () => sandbox.stop(),
  };
}
