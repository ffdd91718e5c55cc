// Follows what fails: keeps in memory what failed lately, and writes incidents to the store, where
// all gateways share them. While everything succeeds, nothing is kept and nothing is written.
import type { FollowedKind } from '@trivium/contract';
import { boundedMap } from '../platform/bounded-map.ts';
import type { Clock } from '../platform/clock.ts';
import { sha256Hex } from '../platform/ids.ts';
import type { Database, Runner } from '../store/index.ts';
import {
  afterFailure,
  afterSuccess,
  continuedMs,
  type Failure,
  type Subject,
  together,
  type Trouble,
  withFound,
} from './core/follow.ts';
import {
  type IncidentRow,
  insertIncidents,
  listLatest,
  listOpen,
  lockIncidents,
  updateIncidents,
} from './store/incidents.ts';

export type Followed = ReturnType<typeof followResults>;

interface TroubleOf extends Trouble {
  of: Subject;
}

/** A process follows at most this many subjects; of more, the oldest is forgotten. */
const maxFollowed = 10_000;
/** How often the incidents that other gateways have begun or ended are read. */
const readOthersEveryMs = 10_000;

export function followResults({ database, clock }: { database: Database; clock: Clock }) {
  const troubles = boundedMap<string, TroubleOf>({ limit: maxFollowed, name: 'incidents' });
  let readAt = -Infinity;
  const failed = (of: Subject, failure: Failure) => {
    const after = afterFailure(troubles.get(keyOf(of)), failure, clock.ticks());
    troubles.put(keyOf(of), { ...after, of });
  };
  /** `began` is in clock ticks. */
  const succeeded = (of: Subject, began: number) => {
    const before = troubles.get(keyOf(of));
    const at = clock.now().getTime();
    const after = before && afterSuccess(before, { began, at });
    if (after) troubles.set(keyOf(of), { ...after, of });
    else troubles.delete(keyOf(of));
  };
  const readOthers = async () => {
    const open = await listOpen(database.reader, maxFollowed);
    const known = new Set(open.map(keyOf));
    for (const [key, { isOpen, unstored }] of troubles) {
      if (isOpen && !unstored && !known.has(key)) troubles.delete(key);
    }
    const failedAt = clock.ticks();
    for (const of of open) {
      const before = troubles.get(keyOf(of)) ?? { results: [], failedAt };
      troubles.put(keyOf(of), { ...before, isOpen: true, of });
    }
  };
  const write = async (found: readonly TroubleOf[]) => {
    for (const one of found) {
      const { unstored: _unstored, ended_at: _ended, ...rest } = one;
      troubles.set(keyOf(one.of), rest);
    }
    try {
      await storeFound(database, found, clock.now().getTime());
    } catch (error) {
      for (const one of found)
        troubles.put(keyOf(one.of), withLater(one, troubles.get(keyOf(one.of))));
      throw error;
    }
    for (const { of, ended_at } of found) {
      if (ended_at !== undefined && !troubles.get(keyOf(of))?.unstored) troubles.delete(keyOf(of));
    }
  };
  return {
    failed,
    succeeded,
    /** The subject cannot fail any more. */
    end: (of: Subject) => {
      const at = { failedAt: clock.ticks(), ended_at: clock.now().getTime() };
      troubles.put(keyOf(of), { ...at, results: [], isOpen: true, of });
    },
    /** Nothing has failed lately, and no incident is open. */
    isEmpty: () => troubles.size === 0,
    open: (kind: FollowedKind) =>
      [...troubles.values()].flatMap(({ of, isOpen }) => (isOpen && of.kind === kind ? of : [])),
    /** Writes what was found since the last time. What cannot be written now is written later. */
    flush: async () => {
      const found = [...troubles.values()].filter(
        ({ isOpen, unstored, ended_at }) => isOpen && (unstored ?? ended_at) !== undefined,
      );
      if (found.length > 0) await write(found);
      if (clock.ticks() - readAt < readOthersEveryMs) return;
      readAt = clock.ticks();
      await readOthers();
    },
  };
}

function keyOf({ kind, subject, account_id }: Subject): string {
  return [kind, account_id, subject].join(' ');
}

/** What could not be stored, with what happened since. */
function withLater(one: TroubleOf, now: TroubleOf = one): TroubleOf {
  if (now === one || !one.unstored) return { ...one, ...now };
  const unstored = now.unstored ? together(one.unstored, now.unstored) : one.unstored;
  const endedAt = now.unstored ? now.ended_at : (one.ended_at ?? now.ended_at);
  return { ...now, unstored, ...(endedAt === undefined ? {} : { ended_at: endedAt }) };
}

function storeFound(database: Database, found: readonly TroubleOf[], now: number): Promise<void> {
  return database.transaction(async (tx) => {
    await lockIncidents(tx);
    for (const some of Map.groupBy(found, ({ of }) => `${of.kind} ${of.subject}`).values()) {
      await storeOfSubject(tx, some, now);
    }
  });
}

/** The troubles of one subject in different accounts. */
async function storeOfSubject(tx: Runner, found: readonly TroubleOf[], now: number): Promise<void> {
  const [{ of } = { of: undefined }] = found;
  if (!of) return;
  const from = Math.min(now, ...found.map(({ unstored }) => unstored?.from ?? now));
  const latest = await listLatest(tx, { ...of, since: from - continuedMs });
  const before = new Map(latest.map((row) => [row.account_id, row]));
  const rows = found.flatMap((one): { row: IncidentRow; isNew: boolean }[] => {
    const known = before.get(one.of.account_id);
    const after = withFound(known, one, now);
    if (!after) return [];
    const isNew = after.created_at !== known?.created_at;
    const { kind, subject, account_id, name = known?.name ?? null } = one.of;
    const id = isNew ? incidentId(one.of, after.created_at) : known.id;
    return [{ isNew, row: { ...after, id, kind, subject, account_id, name, changed_at: now } }];
  });
  await insertIncidents(
    tx,
    rows.flatMap(({ row, isNew }) => (isNew ? row : [])),
  );
  await updateIncidents(
    tx,
    rows.flatMap(({ row, isNew }) => (isNew ? [] : row)),
  );
}

/** The same for the same subject and start. */
export function incidentId(
  { kind, subject, account_id }: { kind: string; subject: string; account_id: string },
  startedAt: number | string,
): string {
  return `inc_${sha256Hex([kind, account_id, startedAt, subject].join(' ')).slice(0, 32)}`;
}
