// The world of one run: virtual time, gateways that live and die on one store, the network between
// them and everyone else, and the record of what happened.
import { cpSync, rmSync } from 'node:fs';
import { type Random, seededRandom } from '../seeded-random.ts';
import { type Commits, type Disk, makeStoreFiles, type StoreReader } from './disk.ts';
import { pairsOf } from './coverage.ts';
import { makeFiles, type SimulatedFiles } from './files.ts';
import { type Incidents, makeIncidents } from './incidents.ts';
import { type Invariants, makeInvariants } from './invariants.ts';
import { epochMs, type Surroundings, useMachine } from './machine.ts';
import { listen, send, unreachable } from './network.ts';
import type { Answer, Answered, Ask, Listening } from './network.ts';
import { pick } from './plan.ts';
import { type Life, makeScheduler, type Scheduler } from './scheduler.ts';
import { makeScratchFolder } from './scratch.ts';
import type { Engine } from './shared/engine.ts';
import { openSharedStore, type SharedStore } from './shared/servers.ts';
import { thisVersion, type Version } from './shared/version.ts';
import { makeSlot, type Slot } from './slot.ts';

export interface World extends Disposable {
  scheduler: Scheduler;
  /** The chance of the outside; the gateways' own is another. */
  random: Random;
  note: (who: string, what: string) => void;
  story: readonly string[];
  /** An actor outside, who never dies. */
  makeLife: (name: string) => Life;
  sleep: (life: Life, ms: number) => Promise<void>;
  call: (life: Life, ask: Ask) => Promise<Answer>;
  answered: Answered;
  commits: Commits;
  incidents: Incidents;
  /** Which faults happened in which states. */
  pairs: ReadonlySet<string>;
  invariants: Invariants;
  rest: Rest;
  /** How long repeated work pauses, which may be longer than it wants while the world rests. */
  pauseMs: (wantedMs: number) => number;
  /** The first, and the only one unless they share a store. */
  gateway: Slot;
  gateways: readonly Slot[];
  disk: Disk;
  files: SimulatedFiles;
  /** The servers of a store that gateways share. */
  shared: SharedStore | undefined;
  /** What the gateways run. */
  versions: readonly Version[];
  /** Reads the store past the gateways; undefined while that is not possible. */
  read: StoreReader['read'];
  /** Reads it many times while nothing happens. */
  openReader: () => StoreReader;
  /** Where the gateway's requests go. */
  outside: { fetch: (life: Life, url: URL, init: BunFetchRequestInit) => Promise<Response> };
  folder: string;
}

/** Times in which repeated work would find again and again what it found before. */
export interface Rest {
  /** Callers have left, and what is open comes to its end: what looks around looks less often. */
  isCalm: boolean;
  /** Nothing is open until then: all repeated work runs once an hour. */
  idleUntil: number;
}

/** For gateways that share a store. */
export interface Sharing {
  engine: Engine;
  gateways: number;
  commitMs?: number;
  /** The first gateway begins with the last one; afterwards chance decides at each start. */
  versions: readonly Version[];
}

/** `template` is the folder of a store to begin with. */
export function makeWorld(
  seed: number,
  template?: string,
  given: Readonly<Record<string, string>> = {},
  sharing?: Sharing,
): World {
  const scheduler = makeScheduler();
  const random = seededRandom(seed + 0.5);
  const story: string[] = [];
  const disk: Disk = { syncMs: 0.5, isFull: false, busyShare: 0 };
  const folder = makeScratchFolder();
  if (template !== undefined) cpSync(template, folder, { recursive: true });
  const note = (who: string, what: string) =>
    void story.push(`${(scheduler.now() / 1000).toFixed(3).padStart(9)} ${who}: ${what}`);
  const rest: Rest = { isCalm: false, idleUntil: 0 };
  const pauseMs = (wantedMs: number) => {
    const leftMs = rest.idleUntil - scheduler.now();
    if (leftMs > wantedMs && wantedMs >= gatherMs) {
      return Math.min(leftMs, Math.max(wantedMs, idlePauseMs));
    }
    const mostMs = sharing ? lookMs.mostShared : lookMs.most;
    const isLook = wantedMs >= lookMs.least && wantedMs <= mostMs;
    return rest.isCalm && isLook ? calmPauseMs : wantedMs;
  };
  const answered: Answered = { work: undefined };
  const commits: Commits = { work: undefined };
  const outside: World['outside'] = { fetch: () => Promise.reject(unreachable()) };
  const listeners = new Map<Life, Listening>();
  const pairs = new Set<string>();
  const incidents = makeIncidents(scheduler.now, (kind, point) => {
    for (const pair of pairsOf(kind, point, read, !shared && store.isJournaled('')))
      pairs.add(pair);
  });
  const store = makeStoreFiles(folder, disk, random, incidents.add, commits);
  const shared =
    sharing &&
    openSharedStore(
      sharing.engine,
      scheduler,
      random,
      note,
      sharing.commitMs,
      incidents.add,
      commits,
    );
  const files = makeFiles(epochMs, scheduler, random, disk, incidents.add);
  const versions = sharing?.versions ?? [thisVersion];
  const surroundings: Surroundings = {
    scheduler,
    files,
    random: seededRandom(seed + 0.25),
    pauseMs,
    threadMs: () => 0.01 + random() * 0.2,
    syncMs: () => disk.syncMs * (0.5 + random()),
    fetch: (life, url, init) => outside.fetch(life, url, init),
    listen: (life, handle) => listen(scheduler, listeners, life, handle),
    beforeStatement: store.beforeStatement,
    afterCommit: store.afterCommit,
    onJournal: store.onJournal,
    beforeClose: store.beforeClose,
    openSql: (life, options) => {
      if (!shared) throw new Error('this world has no servers of a store');
      return shared.open(life, options);
    },
  };
  const restoreMachine = useMachine(
    surroundings,
    versions.map(({ machine }) => machine),
  );
  const makeLife = (name: string): Life => ({
    ...{ name, isAlive: true, frozenUntil: 0, startedAt: scheduler.now(), clockOffsetMs: 0 },
    atEnd: [],
  });
  const parts = { scheduler, makeLife, note, folder, store, given, shared, files, incidents };
  const names = Array.from({ length: sharing?.gateways ?? 1 }, (_, at) =>
    sharing ? `gateway ${'ABC'[at]}` : 'gateway ',
  );
  const gateways = names.map((name, at) => {
    const first = versions.at(-1 - at);
    return makeSlot(parts, name, (starts) =>
      starts === 1 && first ? first : pickVersion(versions, random),
    );
  });
  const gateway = gateways[0] as Slot;
  const openReader = (): StoreReader =>
    shared ? { read: shared.read, [Symbol.dispose]: () => undefined } : store.openReader();
  const read: World['read'] = shared?.read ?? store.read;
  const isJournaled = (text: string) =>
    shared
      ? read('select task from deferred where input like $1', [`%${text}%`])?.length !== 0
      : store.isJournaled(text);
  const hasLost = () => (shared?.lostTimes.length ?? 0) > 0;
  const invariants = makeInvariants({
    ...{ scheduler, incidents, read, hasLost, isJournaled },
    booksSoon: sharing === undefined,
  });
  const { leaves } = invariants;
  return {
    ...{ scheduler, random, note, story, makeLife, gateway, gateways, disk, outside, folder },
    ...{
      shared,
      rest,
      pauseMs,
      answered,
      commits,
      files,
      versions,
      incidents,
      invariants,
      read,
      pairs,
    },
    openReader,
    sleep: (life, ms) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      scheduler.after(ms, life, resolve);
      return promise;
    },
    call: (life, ask) => {
      const own = reachable(gateways, random)?.life();
      return send({ scheduler, random, answered, leaves }, life, own && listeners.get(own), ask);
    },
    [Symbol.dispose]: () => {
      for (const one of gateways) one.kill(false);
      for (const { injected } of versions) if (injected) injected.happensAt = undefined;
      restoreMachine();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Of one version, nothing is left to chance. */
function pickVersion(versions: readonly Version[], random: Random): Version {
  return (versions.length === 1 ? versions[0] : pick(random, versions)) ?? thisVersion;
}

/** Shorter pauses gather what comes together. */
const gatherMs = 100;
const idlePauseMs = 3_600_000;
/** How often a gateway looks at keys, files, circuits and its own loop; its workers pause longer. */
/** Gateways that share a store look at each other and at its servers every second. */
const lookMs = { least: 250, most: 1000, mostShared: 500 };
const calmPauseMs = 5000;

/** Of several gateways a load balancer takes one that runs; it may not know yet that one has ended. */
function reachable(gateways: readonly Slot[], random: Random): Slot | undefined {
  if (gateways.length === 1) return gateways[0];
  const running = gateways.filter((one) => one.state() === 'up' || random() < 0.05);
  return running[Math.floor(random() * running.length)];
}
