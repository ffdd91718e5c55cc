// The world of one run: virtual time, gateways that live and die on one store, the network between
// them and everyone else, and the record of what happened.
import { Database as Sqlite } from 'bun:sqlite';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Gateway } from '../../../src/app/start.ts';
import type { Row } from '../../../src/store/database.ts';
import { seededRandom } from '../seeded-random.ts';
import type { Random } from '../seeded-random.ts';
import { makeFiles } from './files.ts';
import type { SimulatedFiles } from './files.ts';
import { epochMs, useMachine } from './machine.ts';
import type { Handle, Surroundings } from './machine.ts';
import { makeScheduler } from './scheduler.ts';
import type { Life, Scheduler } from './scheduler.ts';
import type { Engine } from './shared/engine.ts';
import { openSharedStore } from './shared/servers.ts';
import type { SharedStore } from './shared/servers.ts';
import { thisVersion } from './shared/version.ts';
import type { Version } from './shared/version.ts';

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
  /** Called when an answer has left a gateway. */
  answered: { work: ((path: string, life: Life) => void) | undefined };
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
  read: (text: string, values?: readonly unknown[]) => Row[] | undefined;
  /** Where the gateway's requests go. */
  outside: { fetch: (life: Life, url: URL, init: BunFetchRequestInit) => Promise<Response> };
  folder: string;
}

/** Times in which repeated work would find again and again what it found before. */
export interface Rest {
  /** Callers have left, and what is open comes to its end: what looks around looks less often. */
  isCalm: boolean;
  /** Nothing is open until then: all repeated work runs once an hour. */
  nightEndsAt: number;
}

/** How the disk behaves at the moment. */
export interface Disk {
  syncMs: number;
  isFull: boolean;
  /** The share of statements that find the file locked. */
  busyShare: number;
}

/** The place of a gateway: it runs there, or is started again. */
export interface Slot {
  state: () => 'down' | 'starting' | 'up' | 'stopping';
  life: () => Life | undefined;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  /** With a power loss, commits that were not synced are gone. */
  kill: (isPowerLoss: boolean) => void;
  /** Why a start failed. */
  refusals: string[];
}

export interface Ask {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  key: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** A body that is not JSON, and arrives part by part. */
  parts?: readonly Uint8Array[];
  /** The caller gives up after this long. */
  patienceMs?: number;
}

export type Answer =
  | { kind: 'answer'; status: number; headers: Headers; text: string; body: Body }
  /** Nothing listened: the request has had no effect. */
  | { kind: 'refused' }
  /** The connection broke; the request may have had its effect. */
  | { kind: 'lost' }
  | { kind: 'given up' };

export type Body = Record<string, unknown>;

export const adminToken = 'operator-token-of-the-simulation-0123456789';
export const rootKey = `sk_live_${'k'.repeat(43)}`;
const base = 'https://gateway.example';
const sharedSecret = 'secret-of-the-simulation-0123456789abcdef';

export const environment: Readonly<Record<string, string>> = {
  PORT: '8080',
  LOG_LEVEL: 'silent',
  TRIVIUM_SANDBOX: 'off',
  TRIVIUM_BOOTSTRAP_KEY: rootKey,
  TRIVIUM_BOOTSTRAP_BALANCE_USD: '0',
  TRIVIUM_ADMIN_TOKEN: adminToken,
  TRIVIUM_PUBLIC_URL: base,
  TRIVIUM_JOB_DEADLINE_MINUTES: '2',
  TRIVIUM_JOB_HOLD_MINUTES: '1',
  TRIVIUM_MAX_AUDIO_MINUTES: '2',
  TRIVIUM_OVERDRAFT_USD: '0',
  EXA_API_KEY: 'exa-key-of-the-simulation',
  ASSEMBLYAI_API_KEY: 'assemblyai-key-of-the-simulation',
  DEEPGRAM_API_KEY: 'deepgram-key-of-the-simulation',
  DEEPGRAM_KEY_ID: 'key-of-the-simulation',
  ELEVENLABS_API_KEY: 'elevenlabs-key-of-the-simulation',
  ELEVENLABS_WEBHOOK_SECRET: 'wsec_simulated',
  ELEVENLABS_WEBHOOK_ID: 'wh_simulated',
};

/** For gateways that share a store. */
export interface Sharing {
  engine: Engine;
  gateways: number;
  commitMs?: number;
  /** The first gateway runs it, another one this version, and at each start chance decides anew. */
  beside?: Version | undefined;
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
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'trivium-sim-'));
  if (template !== undefined) cpSync(template, folder, { recursive: true });
  const note = (who: string, what: string) =>
    void story.push(`${(scheduler.now() / 1000).toFixed(3).padStart(9)} ${who}: ${what}`);
  const rest: Rest = { isCalm: false, nightEndsAt: 0 };
  const pauseMs = (wantedMs: number) => {
    const leftMs = rest.nightEndsAt - scheduler.now();
    if (leftMs > wantedMs && wantedMs >= gatherMs) {
      return Math.min(leftMs, Math.max(wantedMs, nightPauseMs));
    }
    const isLook = wantedMs >= lookMs.least && wantedMs <= lookMs.most;
    return rest.isCalm && isLook && !sharing ? calmPauseMs : wantedMs;
  };
  const answered: World['answered'] = { work: undefined };
  const outside: World['outside'] = { fetch: () => Promise.reject(unreachable()) };
  const listeners = new Map<Life, Listening>();
  const synced = { walBytes: 0 };
  const shared =
    sharing && openSharedStore(sharing.engine, scheduler, random, note, sharing.commitMs);
  const files = makeFiles(epochMs, scheduler, random, disk);
  const versions = [thisVersion, ...(sharing?.beside ? [sharing.beside] : [])];
  const surroundings: Surroundings = {
    scheduler,
    files,
    random: seededRandom(seed + 0.25),
    pauseMs,
    threadMs: () => 0.01 + random() * 0.2,
    syncMs: () => disk.syncMs * (0.5 + random()),
    fetch: (life, url, init) => outside.fetch(life, url, init),
    listen: (life, handle) => listen(scheduler, listeners, life, handle),
    beforeStatement: (text, isInTransaction) => {
      if (disk.isFull && isGrowing(text))
        throw sqliteError('SQLITE_FULL', 'database or disk is full');
      // Who has begun to write has the lock.
      if (!isInTransaction && disk.busyShare > 0 && random() < disk.busyShare) {
        throw sqliteError('SQLITE_BUSY', 'database is locked');
      }
    },
    openSql: (life, options) => {
      if (!shared) throw new Error('this world has no servers of a store');
      return shared.open(life, options);
    },
    afterCommit: (file, isSynced) => {
      if (isSynced && file.endsWith(storeName)) synced.walBytes = sizeOf(`${file}-wal`);
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
  const parts = { scheduler, makeLife, note, folder, listeners, synced, given, shared, files };
  const names = Array.from({ length: sharing?.gateways ?? 1 }, (_, at) =>
    sharing ? `gateway ${'ABC'[at]}` : 'gateway ',
  );
  const gateways = names.map((name, at) => {
    const first = versions[1 - at];
    return makeSlot(parts, name, (starts) =>
      starts === 1 && first ? first : (pickVersion(versions, random) ?? thisVersion),
    );
  });
  const gateway = gateways[0] as Slot;
  return {
    ...{ scheduler, random, note, story, makeLife, gateway, gateways, disk, outside, folder },
    ...{ shared, rest, pauseMs, answered, files, versions },
    read: (text, values = []) =>
      shared ? shared.read(text, values) : readFile(join(folder, storeName), text, values),
    sleep: (life, ms) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      scheduler.after(ms, life, resolve);
      return promise;
    },
    call: (life, ask) => {
      const own = reachable(gateways, random)?.life();
      return send({ scheduler, random, answered }, life, own && listeners.get(own), ask);
    },
    [Symbol.dispose]: () => {
      for (const one of gateways) one.kill(false);
      for (const { injected } of versions) if (injected) injected.happensAt = undefined;
      restoreMachine();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Without another version, nothing is left to chance. */
function pickVersion(versions: readonly Version[], random: Random): Version | undefined {
  return versions.length === 1 ? versions[0] : versions[random() < 0.5 ? 0 : 1];
}

const storeName = 'trivium.sqlite';
/** Shorter pauses gather what comes together. */
const gatherMs = 100;
const nightPauseMs = 3_600_000;
/** How often a gateway looks at keys, files, circuits and its own loop; its workers pause longer. */
const lookMs = { least: 250, most: 1000 };
const calmPauseMs = 5000;

function readFile(file: string, text: string, values: readonly unknown[]): Row[] {
  using store = new Sqlite(file, { readonly: true });
  return store.query(text.replaceAll(/\$(?=\d)/g, '?')).all(...(values as never[])) as Row[];
}

/** Of several gateways a load balancer takes one that runs; it may not know yet that one has ended. */
function reachable(gateways: readonly Slot[], random: Random): Slot | undefined {
  if (gateways.length === 1) return gateways[0];
  const running = gateways.filter((one) => one.state() === 'up' || random() < 0.05);
  return running[Math.floor(random() * running.length)];
}

function isGrowing(text: string): boolean {
  return /^\s*(?:insert|update|create|commit)\b/i.test(text);
}

function sqliteError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

export function unreachable(): Error {
  return Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}

interface Listening {
  life: Life;
  handle: Handle;
  isOpen: boolean;
  /** Called when the process ends before it has answered. */
  unanswered: Set<() => void>;
}

function listen(
  scheduler: Scheduler,
  listeners: Map<Life, Listening>,
  life: Life,
  handle: Handle,
): { stop: (isForced?: boolean) => Promise<void> } {
  const listening: Listening = { life, handle, isOpen: true, unanswered: new Set() };
  listeners.set(life, listening);
  life.atEnd.push(() => {
    for (const tell of listening.unanswered) tell();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const poll = () => {
    if (listening.unanswered.size === 0) resolve();
    else scheduler.after(10, life, poll);
  };
  return {
    stop: (isForced = false) => {
      if (isForced) resolve();
      else if (listening.isOpen) poll();
      listening.isOpen = false;
      return promise;
    },
  };
}

interface SlotParts extends Pick<World, 'scheduler' | 'makeLife' | 'note' | 'folder' | 'files'> {
  listeners: Map<Life, Listening>;
  synced: { walBytes: number };
  given: Readonly<Record<string, string>>;
  shared: SharedStore | undefined;
}

function makeSlot(
  { scheduler, makeLife, note, folder, synced, given, shared, files }: SlotParts,
  name: string,
  versionAt: (starts: number) => Version,
): Slot {
  const ownFolder = shared ? join(folder, name) : folder;
  mkdirSync(ownFolder, { recursive: true });
  const store: Record<string, string> = shared
    ? { DATABASE_URL: shared.url, TRIVIUM_SECRET: sharedSecret }
    : {};
  const settings = { ...environment, ...given, ...store, TRIVIUM_DATA_DIR: ownFolder };
  let [life, running, count]: [Life | undefined, Gateway | undefined, number] = [
    undefined,
    undefined,
    0,
  ];
  let state: ReturnType<Slot['state']> = 'down';
  const refusals: string[] = [];
  const within = (owner: Life, work: () => Promise<void>): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    scheduler.after(0, owner, () => void work().then(resolve));
    owner.atEnd.push(resolve);
    return promise;
  };
  const end = () => {
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
    // To close a connection would tidy up the files; a killed process leaves them as they are.
    const kept = join(folder, 'kept');
    for (const ending of ['', '-wal']) {
      const file = join(folder, storeName + ending);
      if (existsSync(file)) cpSync(file, kept + ending);
    }
    end();
    if (isPowerLoss) files.losePower();
    if (isPowerLoss && sizeOf(`${kept}-wal`) > synced.walBytes) {
      truncateSync(`${kept}-wal`, synced.walBytes);
    }
    // New files: the engine shares what it knows of a file between all of its connections to it.
    for (const ending of ['', '-wal']) {
      const file = join(folder, storeName + ending);
      rmSync(file, { force: true });
      if (existsSync(kept + ending)) renameSync(kept + ending, file);
    }
    rmSync(join(folder, `${storeName}-shm`), { force: true });
  };
  return {
    state: () => state,
    life: () => life,
    refusals,
    kill,
    start: () => {
      count += 1;
      const own = makeLife(name + count);
      [life, state] = [own, 'starting'];
      synced.walBytes = 0;
      const version = versionAt(count);
      note(own.name, version === thisVersion ? 'starts' : `starts as ${version.name}`);
      return within(own, async () => {
        try {
          running = await version.prepare(settings)();
          state = 'up';
          note(own.name, 'is up');
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          refusals.push(reason);
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

/** One HTTP exchange: there, handled by the gateway's process, and back. */
function send(
  { scheduler, random, answered }: Pick<World, 'scheduler' | 'random' | 'answered'>,
  caller: Life,
  listening: Listening | undefined,
  ask: Ask,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const wireMs = () => 0.1 + random() * 2;
  const tell = (answer: Answer) => scheduler.after(wireMs(), caller, () => resolve(answer));
  if (!listening?.life.isAlive) {
    tell({ kind: 'refused' });
    return promise;
  }
  const { life, handle, unanswered } = listening;
  const abort = new AbortController();
  const lost = () => tell({ kind: 'lost' });
  let [isOver, hasArrived] = [false, false];
  const arrive = () => {
    if (!listening.isOpen) return void tell({ kind: 'refused' });
    hasArrived = true;
    unanswered.add(lost);
    const body = ask.parts && arriving({ scheduler, random }, life, ask.parts, () => isOver);
    void handle(requestOf(ask, abort.signal, body)).then(async (response) => {
      const text = await response.text();
      unanswered.delete(lost);
      if (isOver) return;
      const { status, headers } = response;
      tell({ kind: 'answer', status, headers, text, body: bodyOf(text) });
      answered.work?.(ask.path, life);
    });
  };
  scheduler.after(wireMs(), life, arrive);
  // A process that ends before the request arrives refuses it.
  const refuse = () => {
    if (!hasArrived) tell({ kind: 'refused' });
  };
  life.atEnd.push(refuse);
  if (ask.patienceMs !== undefined) {
    scheduler.after(ask.patienceMs, caller, () => {
      isOver = true;
      unanswered.delete(lost);
      unanswered.add(noop);
      scheduler.after(0, life, () => {
        unanswered.delete(noop);
        abort.abort();
      });
      resolve({ kind: 'given up' });
    });
  }
  void promise.then(() => {
    const at = life.atEnd.indexOf(refuse);
    if (at >= 0) life.atEnd.splice(at, 1);
  });
  return promise;
}

/** A body that arrives part by part; its reader is the process that the parts wake up. */
function arriving(
  { scheduler, random }: Pick<World, 'scheduler' | 'random'>,
  reader: Life,
  parts: readonly Uint8Array[],
  isGone: () => boolean,
): ReadableStream<Uint8Array> {
  let isOpen = true;
  return new ReadableStream({
    start: (controller) => {
      const send = (at: number) => {
        if (!isOpen) return;
        const part = parts[at];
        if (isGone()) return controller.error(new Error('the caller has left'));
        if (!part) return controller.close();
        controller.enqueue(new Uint8Array(part));
        scheduler.after(random() * 300, reader, () => send(at + 1));
      };
      scheduler.after(random(), reader, () => send(0));
    },
    cancel: () => {
      isOpen = false;
    },
  });
}

function noop(): void {
  return undefined;
}

function requestOf(
  { method, path, key, body, headers }: Ask,
  signal: AbortSignal,
  stream?: ReadableStream<Uint8Array>,
): Request {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request(base + path, {
    method: method ?? (body === undefined && !stream ? 'GET' : 'POST'),
    headers: {
      host: 'gateway.example',
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined
        ? {}
        : {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(text)),
          }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: text }),
    ...(stream ? { body: stream } : {}),
    signal,
  });
}

function bodyOf(text: string): Body {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Body) : {};
  } catch {
    return {};
  }
}
