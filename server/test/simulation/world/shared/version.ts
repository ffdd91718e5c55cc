// The code that a simulated gateway runs: this checkout, or the one of a release beside it on the same
// store, as during an upgrade of one gateway after the other.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Gateway, startGateway } from '../../../../src/app/start.ts';
import { injected } from '../../../../src/platform/fault-points.ts';
import { machine, type Machine } from '../../../../src/platform/machine.ts';
import { providers } from '../../../../src/providers/registry.ts';
import { readSettings } from '../../../../src/settings/settings.ts';
import { replaceMachine } from './replaced-machine.ts';

export interface Version {
  name: string;
  /** What its modules take from their machine. */
  machine: Machine;
  /** Absent where it has no fault points. */
  injected?: typeof injected;
  /** Reads the settings, and returns what starts a gateway with them. */
  prepare: (environment: Readonly<Record<string, string>>) => () => Promise<Gateway>;
}

interface Modules {
  startGateway: typeof startGateway;
  providers: typeof providers;
  readSettings: typeof readSettings;
}

export const thisVersion: Version = {
  ...{ name: 'this version', machine, injected },
  prepare: prepareWith({ startGateway, providers, readSettings }),
};

function prepareWith(modules: Modules): Version['prepare'] {
  return (environment) => {
    const settings = modules.readSettings(environment, Object.values(modules.providers));
    return () => modules.startGateway(settings, () => undefined);
  };
}

/** The sources of a release, by its `server/src/main.ts`, are loaded beside those of this checkout. */
export async function loadVersion(program: string): Promise<Version> {
  const sources = dirname(program);
  const load = async <T>(file: string) => (await import(join(sources, file))) as T;
  const hasOwn = existsSync(join(sources, 'platform/machine.ts'));
  const replaced = hasOwn
    ? (await load<{ machine: Machine }>('platform/machine.ts')).machine
    : replaceMachine(sources);
  const points = hasOwn
    ? await load<{ injected: typeof injected }>('platform/fault-points.ts')
    : {};
  const modules: Modules = {
    ...(await load<Pick<Modules, 'startGateway'>>('app/start.ts')),
    ...(await load<Pick<Modules, 'providers'>>('providers/registry.ts')),
    ...(await load<Pick<Modules, 'readSettings'>>('settings/settings.ts')),
  };
  return { name: 'the release', machine: replaced, ...points, prepare: prepareWith(modules) };
}
