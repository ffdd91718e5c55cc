// What routing by quality knows about engines. It is read from the store once a minute, for the
// accounts and classes of recent searches, so that a request only looks it up in memory.
import { boundedMap } from '../platform/bounded-map.ts';
import { machine } from '../platform/machine.ts';
import { dayOf } from '../requests/core/index.ts';
import { canCompare, narrowestEvidence, type SearchClass } from './core/choose.ts';
import type { Tally } from './core/tally.ts';
import type { QualityContext } from './scorecard.ts';
import { type ClassDay, listClassDays, listClassDaysOf } from './store/quality-totals.ts';

/** What is known of each engine for one class of searches. */
type EngineTallies = ReadonlyMap<string, Tally>;

/** Older observations weigh less than a twentieth. */
const daysRead = 61;
/** Accounts beyond this number use the evidence of all accounts. */
const maxAccounts = 500;
/** Classes of an account beyond this number use the evidence of all searches. */
const maxClasses = 40;
/** An account or a class without searches for this many rounds is removed. */
const roundsKept = 30;

/** More classes are counted than read, so that the most used ones can be chosen. */
const maxCounted = 4 * maxClasses;
/** The weight of earlier uses after each round. */
const usesKept = 0.9;

/** The classes of recent searches, of an account or of all accounts, and what is known of them. */
interface Asked {
  classes: Map<string, { searched: SearchClass; uses: number; round: number }>;
  round: number;
  known: ReadonlyMap<string, EngineTallies>;
}

const nothing: EngineTallies = new Map();
const anySearch: SearchClass = { tool: 'search', language: '', category: '', freshness: '' };

export type RoutingEvidence = ReturnType<typeof makeRoutingEvidence>;

export function makeRoutingEvidence({ database, clock }: QualityContext) {
  const all: Asked = { classes: new Map(), round: 0, known: new Map() };
  const accounts = boundedMap<string, Asked>({
    limit: maxAccounts,
    name: 'routing_evidence',
    mayEvict: false,
  });
  let round = 0;
  return {
    /** For a search of an account. Without an account, for all accounts together. */
    talliesFor: (accountId: string | undefined, searched: SearchClass) => {
      const key = keyOf(searched);
      const own = accountId === undefined ? undefined : accounts.get(accountId)?.known;
      const { known } = all;
      return own?.get(key) ?? known.get(key) ?? known.get(keyOf(anySearch)) ?? nothing;
    },
    /** Called after a paid search, so that its class is among those that are read. */
    noteUse: (accountId: string, searched: SearchClass) => {
      const key = keyOf(searched);
      const own = accounts.get(accountId) ?? { classes: new Map(), round, known: new Map() };
      if (!accounts.put(accountId, own)) return;
      own.round = round;
      // For all accounts together, each account counts once per round.
      const isFirst = own.classes.get(key)?.round !== round;
      countUse(own.classes, key, searched, round);
      if (isFirst) countUse(all.classes, key, searched, round);
    },
    /** Reads the store again. */
    refresh: async () => {
      round += 1;
      const today = dayOf(clock.now().getTime());
      const range = { from: today - daysRead + 1, to: today };
      const learn = async (one: Asked, rows: readonly ClassDay[]) => {
        one.known = knownOf(rows, mostUsed(one.classes, round), today);
        await machine.nextTurn();
      };
      await learn(all, await listClassDays(database.reader, range));
      for (const [accountId, one] of accounts) {
        if (round - one.round > roundsKept) accounts.delete(accountId);
        else await learn(one, await listClassDaysOf(database.reader, accountId, range));
      }
    },
  };
}

function keyOf({ tool, language, category, freshness }: SearchClass): string {
  return `${tool} ${language} ${category} ${freshness}`;
}

function countUse(
  classes: Asked['classes'],
  key: string,
  searched: SearchClass,
  round: number,
): void {
  const { uses } = classes.get(key) ?? { uses: 0 };
  if (uses === 0 && classes.size >= maxCounted) {
    classes.delete(
      [...classes].reduce((least, one) => (one[1].uses < least[1].uses ? one : least))[0],
    );
  }
  classes.set(key, { searched, uses: uses + 1, round });
}

/** The classes to read. Those that were not used for long are removed. */
function mostUsed(classes: Asked['classes'], round: number): Map<string, SearchClass> {
  for (const [key, one] of classes) {
    one.uses *= usesKept;
    if (round - one.round > roundsKept) classes.delete(key);
  }
  const byUses = [...classes].toSorted(([, one], [, other]) => other.uses - one.uses);
  return new Map([
    [keyOf(anySearch), anySearch],
    ...byUses.slice(0, maxClasses).map(([key, { searched }]) => [key, searched] as const),
  ]);
}

/** Only classes in which at least two engines can be compared. */
function knownOf(
  rows: readonly ClassDay[],
  classes: ReadonlyMap<string, SearchClass>,
  today: number,
): Map<string, EngineTallies> {
  const bySource = Map.groupBy(rows, ({ source }) => source);
  const known = new Map<string, EngineTallies>();
  for (const [key, searched] of classes) {
    // The callers' own feedback says more about what they want than the results of other engines.
    for (const source of ['feedback', 'agreement'] as const) {
      const tallies = narrowestEvidence(bySource.get(source) ?? [], searched, today);
      if (!canCompare(tallies)) continue;
      known.set(key, tallies);
      break;
    }
  }
  return known;
}
