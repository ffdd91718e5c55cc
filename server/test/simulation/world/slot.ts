// The place of a gateway: it is started there, stopped and killed, and started again.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Gateway } from '../../../src/app/start.ts';
import type { StoreFiles } from './disk.ts';
import { environment, sharedSecret } from './environment.ts';
import type { SimulatedFiles } from './files.ts';
import type { Incidents } from './incidents.ts';
import type { Life, Scheduler } from './scheduler.ts';
import type { SharedStore } from './shared/servers.ts';
import { thisVersion, type Version } from './shared/version.ts';
import { watchStructures } from './structures.ts';

/** The place of a gateway: it runs there, or is started again. */
export interface Slot {
  state: () => 'down' | 'starting' | 'up' | 'stopping';
  life: () => Life | undefined;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  /** With a power loss, commits that were not synced are gone. */
  kill: (isPowerLoss: boolean) => void;
  /** What the gateway that runs does not forget, in words. */
  grown: () => string[];
  /** Why and when a start failed. */
  refusals: { at: number; reason: string }[];
}

interface SlotParts {
  scheduler: Scheduler;
  makeLife: (name: string) => Life;
  note: (who: string, what: string) => void;
  folder: string;
  files: SimulatedFiles;
  store: StoreFiles;
  given: Readonly<Record<string, string>>;
  shared: SharedStore | undefined;
  incidents: Incidents;
}

export function makeSlot(
  { scheduler, makeLife, note, folder, store, given, shared, files, incidents }: SlotParts,
  name: string,
  versionAt: (starts: number) => Version,
): Slot {
  const ownFolder = shared ? join(folder, name) : folder;
  mkdirSync(ownFolder, { recursive: true });
  const database: Record<string, string> = shared
    ? { DATABASE_URL: shared.url, TRIVIUM_SECRET: sharedSecret }
    : {};
  const settings = { ...environment, ...given, ...database, TRIVIUM_DATA_DIR: ownFolder };
  let [life, running, count]: [Life | undefined, Gateway | undefined, number] = [
    undefined,
    undefined,
    0,
  ];
  let state: ReturnType<Slot['state']> = 'down';
  const refusals: Slot['refusals'] = [];
  let grown: Slot['grown'] = () => [];
  const within = (owner: Life, work: () => Promise<void>): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    scheduler.after(0, owner, () => void work().then(resolve));
    owner.atEnd.push(resolve);
    return promise;
  };
  const end = () => {
    // The next process has the right time, which is another jump.
    if (life?.clockOffsetMs) incidents.add('clock_jump');
    if (life) scheduler.kill(life);
    [life, running, state] = [undefined, undefined, 'down'];
  };
  const kill = (isPowerLoss: boolean) => {
    if (!life) return;
    note(life.name, isPowerLoss ? 'power loss' : 'kill -9');
    if (shared) {
      if (isPowerLoss) shared.losePower(life);
      return end();
    }
    store.outlive(end, isPowerLoss);
    if (isPowerLoss) files.losePower();
  };
  return {
    state: () => state,
    life: () => life,
    refusals,
    grown: () => grown(),
    kill,
    start: () => {
      count += 1;
      const own = makeLife(name + count);
      [life, state] = [own, 'starting'];
      store.opened();
      const version = versionAt(count);
      note(own.name, version === thisVersion ? 'starts' : `starts as ${version.name}`);
      return within(own, async () => {
        const watch = watchStructures(() => scheduler.current() === own);
        grown = watch.grown;
        own.atEnd.push(watch.end);
        try {
          running = await version.prepare(settings)();
          watch.end();
          state = 'up';
          note(own.name, 'is up');
        } catch (error) {
          const words = error instanceof Error ? error.message : String(error);
          // Its name differs in each process.
          const reason = words.replaceAll(folder, '');
          refusals.push({ at: scheduler.now(), reason });
          note(own.name, `did not start: ${reason}`);
          // The process exits, which is a kill as far as its files are concerned.
          scheduler.after(0, undefined, () => {
            if (life === own) kill(false);
          });
        }
      });
    },
    stop: () => {
      const [own, gateway] = [life, running];
      if (!own || !gateway || state !== 'up') return Promise.resolve();
      state = 'stopping';
      note(own.name, 'stops');
      return within(own, async () => {
        const failure = await gateway.stop().then(
          () => undefined,
          (error: unknown) => String(error),
        );
        note(own.name, failure === undefined ? 'has stopped' : `stopped with ${failure}`);
        scheduler.after(0, undefined, () => {
          if (life === own) end();
        });
      });
    },
  };
}
