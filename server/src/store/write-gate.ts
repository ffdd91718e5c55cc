// Tracks whether the store accepts writes. Plain requests are held in memory, and their first write
// follows the provider's answer. So requests that could not be recorded are refused before a
// provider is called: while the disk is nearly full, and after a refused write until a probe
// succeeds.
import { type GatewayError, tryLater } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import { type Repeated, every } from '../platform/every.ts';
import type { Log } from '../platform/log.ts';
import { machine } from '../platform/machine.ts';
import type { Database } from './database.ts';
import { writeLargeProbe } from './facts.ts';

interface GateDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  settings: { data_dir: string; min_free_disk_mb: number };
}

const lookEveryMs = 2000;
const probeEveryMs = 1000;

export type WriteGate = Awaited<ReturnType<typeof openWriteGate>>;

export async function openWriteGate(dependencies: GateDependencies) {
  const { database, clock, log, settings } = dependencies;
  const minFreeBytes = settings.min_free_disk_mb * 1024 * 1024;
  // A database server has its own disk.
  const isOnDisk = database.engine === 'sqlite';
  let free: number | undefined;
  let probing: Repeated | undefined;
  /** False while the disk of the data folder has less free space than the operator allows. */
  const hasRoom = () => minFreeBytes === 0 || free === undefined || free >= minFreeBytes;
  const look = async () => {
    const hadRoom = hasRoom();
    free = await freeBytesOf(settings.data_dir);
    if (hadRoom === hasRoom()) return;
    const facts = { free_mb: Math.floor((free ?? 0) / 1024 / 1024), data_dir: settings.data_dir };
    if (hadRoom) log.error(facts, 'the disk is nearly full; requests that need space are refused');
    else log.warn(facts, 'the disk has enough space again');
  };
  const probe = async () => {
    await writeLargeProbe(database, clock.now().getTime());
    probing?.stop();
    probing = undefined;
    log.warn('the store accepts writes again');
  };
  await look();
  const looking = every(lookEveryMs, { name: 'free_disk', work: look });
  /** Why nothing can be paid for. Undefined while the store accepts writes. */
  const reason = () => {
    if (isOnDisk && !hasRoom()) return 'The disk of the store is nearly full.';
    return probing === undefined ? undefined : 'The store does not accept writes.';
  };
  return {
    /** Throws a 503 while a payment could not be recorded. */
    check: () => {
      const why = reason();
      if (why !== undefined) throw refused(why);
    },
    reason,
    hasRoom,
    /** Free space on the disk of the data folder. Undefined if it is not known. */
    freeBytes: () => free,
    /** Call it when the store has refused a write. */
    noteRefusal: (error: unknown) => {
      if (probing !== undefined) return;
      log.error(
        { err: error },
        'the store refuses writes; paid requests are refused until it works',
      );
      probing = every(probeEveryMs, { name: 'store_probe', work: probe });
    },
    stop: () => {
      looking.stop();
      probing?.stop();
    },
  };
}

function refused(reason: string): GatewayError {
  return tryLater(
    'provider_not_available',
    `${reason} No provider was called, and nothing was charged. Try again later, ` +
      'with the same Idempotency-Key if you sent one.',
    5,
  );
}

/** Undefined if it cannot be read, for example because the folder does not exist. */
async function freeBytesOf(folder: string): Promise<number | undefined> {
  try {
    return await machine.freeBytes(folder);
  } catch {
    return undefined;
  }
}
