// A house over a real sandbox, for tests of services: real sending, real time, faults on demand.
import { provider_ids } from '@trivium/contract';
import type { ProviderId } from '@trivium/contract';
import { mounts, startSandbox } from '@trivium/sandbox';
import { list_prices } from '../../src/providers/list-prices.ts';
import { system_clock } from '../../src/platform/clock.ts';
import { send } from '../../src/platform/http.ts';
import { providers } from '../../src/providers/index.ts';
import type { House, Station } from '../../src/services/house.ts';

export interface SandboxHouse {
  /** A house whose deployment has these providers configured and those switched off. */
  house: (configured: readonly ProviderId[], disabled?: readonly ProviderId[]) => House;
  fault: (mount: string, fault: string, more?: object) => Promise<void>;
  /** How many calls a mount has received since the last reset. */
  calls: (mount: string) => Promise<number>;
  /** Forgets faults and calls. */
  reset: () => Promise<void>;
  stop: () => Promise<void>;
}

export async function startSandboxHouse(): Promise<SandboxHouse> {
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
  const station = (id: ProviderId, state: Station['state']): Station => {
    const provider = providers[id];
    if (state !== 'configured') return { provider, state };
    const hosts = Object.fromEntries(
      Object.entries(provider.hosts).map(([role, { env }]) => [role, addresses.get(env) ?? '']),
    );
    return { provider, state, upstream: { key: 'sandbox-credential', hosts } };
  };
  return {
    house: (configured, disabled = []) => {
      const stateOf = (id: ProviderId) =>
        disabled.includes(id)
          ? 'disabled'
          : configured.includes(id)
            ? 'configured'
            : 'not_configured';
      const stations = Object.fromEntries(
        provider_ids.map((id) => [id, station(id, stateOf(id))]),
      ) as Record<ProviderId, Station>;
      const settings = { max_request_usd: 10 };
      const house = { settings, clock: system_clock, send, prices: list_prices, stations };
      return house as unknown as House;
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
