// Registers this gateway, and finds dead ones: their beat has not changed during several beats of
// this one. Only answers of the store count, so neither its outage nor a pause here makes another
// look dead.
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { newId } from '../../platform/ids.ts';
import type { Database } from '../../store/index.ts';
import { returnOrphans } from '../store/allowances.ts';
import { beat, insertGateways, removeGateway } from '../store/gateways.ts';
import { endClaims } from '../../requests/index.ts';
import { type DueHold, findOrphanedHolds } from '../store/ledger.ts';

interface BeatDependencies {
  database: Database;
  clock: Pick<Clock, 'now'>;
  log: Log;
  bookAll: () => Promise<void>;
  release: (holds: readonly DueHold[]) => Promise<void>;
}

export const beatMs = 1500;
/** A gateway that does not change its beat during this many of ours is dead. */
const maxMissedBeats = 4;
/** The number of beats between two searches for money and holds of dead gateways. */
const beatsPerSearch = 4;
const holdsPerRound = 100;

export function makeGatewayBeats(dependencies: BeatDependencies) {
  const { database, log } = dependencies;
  let own: string | undefined;
  let beats = 0;
  const seen = new Map<string, { beat: number; missed: number }>();

  const findDead = (all: ReadonlyMap<string, number>): [string, number][] => {
    const dead: [string, number][] = [];
    for (const [id, now] of all) {
      const before = seen.get(id);
      const missed = before?.beat === now ? before.missed + 1 : 0;
      seen.set(id, { beat: now, missed });
      if (id !== own && missed >= maxMissedBeats) dead.push([id, now]);
    }
    for (const id of seen.keys()) if (!all.has(id)) seen.delete(id);
    return dead;
  };
  return {
    /** Undefined before `open`, and after another gateway has removed this one. */
    id: () => own,
    /** How many gateways run. */
    count: () => Math.max(1, seen.size),
    open: async () => {
      beats = 0;
      const id = newId('gw');
      await insertGateways(database, [{ id, beat: 0 }]);
      own = id;
    },
    /** One beat. Returns false when this gateway was removed. */
    next: async (): Promise<boolean> => {
      if (own === undefined) return false;
      const all = await beat(database, own);
      const last = all.get(own);
      if (last !== undefined && last < beats) reportOlderStore(log, beats - last);
      if (last === undefined) {
        own = undefined;
        return false;
      }
      const dead = findDead(all);
      for (const [id, last] of dead) {
        if (await remove(dependencies, id, last)) {
          log.warn({ gateway: id }, 'a gateway died; what it held is returned');
        }
      }
      beats += 1;
      if (dead.length > 0 || beats % beatsPerSearch === 1) await returnLeftOvers(dependencies);
      return true;
    },
    close: async () => {
      const id = own;
      own = undefined;
      if (id !== undefined) await remove(dependencies, id);
    },
  };
}

/** The requests of the removed gateway have ended, so their idempotency keys may be used again. */
function remove(
  { database, clock }: Pick<BeatDependencies, 'database' | 'clock'>,
  id: string,
  lastBeat?: number,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const isRemoved = await removeGateway(tx, id, lastBeat);
    if (isRemoved) await endClaims(tx, { gateway: id, now: clock.now().getTime() });
    return isRemoved;
  });
}

/** A removed gateway journals nothing more, so its allowance is final once that is booked. */
async function returnLeftOvers(dependencies: BeatDependencies): Promise<void> {
  const { database, bookAll, release } = dependencies;
  await bookAll();
  await database.transaction(returnOrphans);
  let found: DueHold[];
  do {
    found = await findOrphanedHolds(database, holdsPerRound);
    if (found.length > 0) await release(found);
  } while (found.length === holdsPerRound);
}

/** A database server that took over without the latest commits has lost beats of this gateway. */
function reportOlderStore(log: Log, lost: number): void {
  log.error(
    { seconds_lost: (lost * beatMs) / 1000 },
    'the store is older than what this gateway has seen: charges and jobs from this period ' +
      'are lost; use synchronous replication',
  );
}
