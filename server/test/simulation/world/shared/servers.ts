// The store that several gateways share: a primary and its standby on one engine, and what happens to
// them.
import type { SQL } from 'bun';
import type { Row } from '../../../../src/store/database.ts';
import type { Random } from '../../seeded-random.ts';
import { epochMs } from '../machine.ts';
import type { Commits } from '../disk.ts';
import type { Life, Scheduler } from '../scheduler.ts';
import type { Engine, Saved } from './engine.ts';
import { openPool } from './pool.ts';
import { endSession, isNewest, resume, type Server, type Store, type Trouble } from './session.ts';

export interface SharedStore {
  url: string;
  open: (life: Life, options: object) => SQL;
  /** Undefined while a transaction is open that has written something. */
  read: (text: string, values?: readonly unknown[]) => Row[] | undefined;
  /** Adds rows to the journal that cannot be read. */
  addFaultyRows: (count: number) => void;
  trouble: Trouble;
  /** The machine of this process lost its power: its connections do not end. */
  losePower: (life: Life) => void;
  /** The primary answers nothing for a while. These return false if nothing happens. */
  hang: (ms: number) => boolean;
  /** The primary ends all connections, and can be reached again after a while. */
  restart: (ms: number) => boolean;
  /** The primary fails, and the standby takes its place. */
  failOver: (how: FailOver) => boolean;
  /** Commits of this time were lost with a primary. */
  lostTimes: readonly { from: number; to: number }[];
  /** The least that each account had free after any commit, if it was below zero. */
  lowest: ReadonlyMap<string, number>;
  /** What gateways charged to allowances that did not cover it, in words. */
  uncovered: ReadonlySet<string>;
  counts: ReadonlyMap<string, number>;
  /** Called when a gateway returns an allowance. */
  returned: Set<() => void>;
  calm: () => void;
  /** Ends what is still open, so that the store can be read. */
  close: () => void;
}

export interface FailOver {
  /** The standby lacks the commits of the last milliseconds; 0 for a synchronous one. */
  lagMs: number;
  /** The primary hangs, and wakes up after its replacement. */
  wakes: boolean;
  promotedAfterMs: number;
  backAfterMs: number;
}

const hosts = ['db-a.example', 'db-b.example'];
/** Begins the ids of rows of the journal that no version can read. */
const faultyId = 'jrn_faulty_';
/** True of all other rows. */
export const isReadable = `(id is null or id not like '${faultyId}%')`;

export function openSharedStore(
  engine: Engine,
  scheduler: Scheduler,
  random: Random,
  note: (who: string, what: string) => void,
  commitMs = 0.3,
  happened: Store['happened'] = () => undefined,
  commits: Commits = { work: undefined },
): SharedStore {
  const usual: Trouble = { lostShare: 0, conflictShare: 0, commitMs, rollbackMs: 0 };
  const counts = new Map<string, number>();
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const servers = hosts.map((host, at): Server => ({
    ...{ host, role: at === 0 ? 'primary' : 'standby', timeline: 1, isDown: false },
    ...{ hangsUntil: 0, sessions: new Set(), clockOffsetMs: (random() - 0.5) * 4000 },
    isSynchronous: true,
  }));
  const lostTimes: { from: number; to: number }[] = [];
  const store: Store = {
    ...{ scheduler, random, engine, servers, trouble: { ...usual }, writer: undefined },
    ...{ waiting: [], between: [], silent: new Set(), sessions: 0, lowest: new Map(), count },
    ...{ happened, commits, uncovered: new Set(), hasLost: () => lostTimes.length > 0 },
    returned: new Set(),
  };
  const primary = () => servers.find((one) => isNewest(store, one)) as Server;
  const hang = (server: Server, ms: number) => {
    note(server.host, `answers nothing for ${Math.round(ms)} ms`);
    server.hangsUntil = scheduler.now() + ms;
    scheduler.after(ms, undefined, () => resume(store, server));
  };
  const goDown = (server: Server) => {
    note(server.host, 'is down');
    server.isDown = true;
    for (const session of server.sessions) endSession(store, session);
  };
  const comeBack = (server: Server) => {
    note(server.host, `is back as a ${server.role}`);
    server.isDown = false;
  };
  let [isFailing, faulty] = [false, 0];
  const replace = (how: FailOver, old: Server, saved: Saved | undefined) => {
    old.isSynchronous = !saved;
    if (how.wakes) hang(old, how.promotedAfterMs + how.backAfterMs);
    else goDown(old);
    scheduler.after(how.promotedAfterMs, undefined, () => {
      // The new primary does not know a transaction that was open.
      if (store.writer) endSession(store, store.writer);
      if (saved) {
        engine.restore(saved);
        // Until they see the new primary, gateways believe the old one.
        lostTimes.push({ from: scheduler.now(), to: scheduler.now() + longestBeliefMs });
      }
      const next = servers.find((one) => one !== old) as Server;
      [next.role, next.timeline] = ['primary', next.timeline + 1];
      note(next.host, `is the primary now${saved ? ', and lacks the last commits' : ''}`);
      const staleMs = how.wakes ? random() * longestStaleMs : 0;
      scheduler.after(how.backAfterMs + staleMs, undefined, () => {
        goDown(old);
        [old.role, old.timeline] = ['standby', next.timeline];
        comeBack(old);
        isFailing = false;
      });
    });
  };
  const failOver = (how: FailOver) => {
    if (isFailing) return false;
    isFailing = true;
    if (how.lagMs === 0) {
      replace(how, primary(), undefined);
      return true;
    }
    const lag = () => {
      // Only what is committed reaches a standby.
      if (store.writer) return void scheduler.after(1, undefined, lag);
      const [saved, from] = [engine.save(), scheduler.now()];
      scheduler.after(how.lagMs, undefined, () => {
        lostTimes.push({ from, to: scheduler.now() });
        replace(how, primary(), saved);
      });
    };
    lag();
    return true;
  };
  return {
    ...{ trouble: store.trouble, lostTimes, lowest: store.lowest, returned: store.returned },
    ...{ counts, failOver, uncovered: store.uncovered },
    url: `postgres://trivium@${hosts.join(',')}/trivium`,
    open: (life, options) => openPool(store, life, options),
    read: (text, values) => (store.writer ? undefined : engine.run(text, values)),
    addFaultyRows: (rows) => {
      const add = () => {
        for (const end = faulty + rows; faulty < end; faulty += 1) {
          const madeAt = Math.floor(epochMs + scheduler.now() - random() * 100);
          engine.run(
            "insert into deferred (task, input, created_at, id) values ('post', '{}', $1, $2)",
            [madeAt, faultyId + String(faulty)],
          );
        }
      };
      if (store.writer) store.between.push(add);
      else add();
    },
    losePower: (life) => void store.silent.add(life),
    hang: (ms) => {
      if (!isFailing) hang(primary(), ms);
      return !isFailing;
    },
    restart: (ms) => {
      const server = primary();
      if (isFailing || server.isDown) return false;
      goDown(server);
      scheduler.after(ms, undefined, () => {
        if (!isFailing) comeBack(server);
      });
      return true;
    },
    calm: () => {
      Object.assign(store.trouble, usual);
      for (const server of servers) {
        if (isFailing || server.hangsUntil <= scheduler.now()) continue;
        server.hangsUntil = 0;
        resume(store, server);
      }
    },
    close: () => {
      if (store.writer) endSession(store, store.writer);
    },
  };
}

/** As docs/replicas.md tells, and the time of an answer. */
const longestBeliefMs = 4000;
/** How long a primary that was replaced takes writes after it woke up. */
export const longestStaleMs = 4000;
