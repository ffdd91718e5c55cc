// What routing by quality knows about engines: read from the store once a minute for the accounts
// and classes of searches that were asked for lately, so that a request only looks it up.
import { boundedMap } from '../platform/bounded-map.ts';
import { nextTurn, type Clock } from '../platform/clock.ts';
import { dayOf } from '../requests/core/index.ts';
import type { ReadableDatabase } from '../store/index.ts';
import { leastEvidence } from './core/choose.ts';
import { narrowestEvidence, type SearchClass } from './core/search-class.ts';
import type { Tally } from './core/tally.ts';
import { type ClassDay, listClassDays, listClassDaysOf } from './store/weighted-days.ts';

/** What is known of each engine for one class of searches. */
type EngineTallies = ReadonlyMap<string, Tally>;

export interface RoutingEvidence {
  /** For a search of an account or, without one, of all accounts together. Synchronous. */
  talliesFor: (accountId: string | undefined, searched: SearchClass) => EngineTallies;
  /** After a search that was paid for: its class is among those that are looked up. Takes no time. */
  noteUse: (accountId: string, searched: SearchClass) => void;
  /** Reads what is known now. */
  refresh: () => Promise<void>;
}

interface EvidenceContext {
  database: ReadableDatabase;
  clock: Clock;
}

/** Older observations weigh less than a twentieth. */
const daysRead = 61;
/** Of the accounts that searched lately; others use what is known of all accounts. */
const maxAccounts = 500;
/** Of an account; further ones use what is known of all searches. */
const maxClasses = 40;
/** An account that did not search for so many rounds is left out. */
const roundsKept = 30;

/** Counted for each owner of classes, so that those that are used most can be chosen. */
const maxCounted = 4 * maxClasses;
/** What earlier uses weigh after each round. */
const usesKept = 0.9;

interface AskedClass {
  searched: SearchClass;
  uses: number;
  round: number;
}

interface Asked {
  classes: Map<string, AskedClass>;
  round: number;
  known: ReadonlyMap<string, EngineTallies>;
}

const nothing: EngineTallies = new Map();
const anySearch: SearchClass = { tool: 'search', language: '', category: '', freshness: '' };

export function makeRoutingEvidence({ database, clock }: EvidenceContext): RoutingEvidence {
  const all: Asked = { classes: new Map(), round: 0, known: new Map() };
  const accounts = boundedMap<string, Asked>({ limit: maxAccounts, mayEvict: false });
  let round = 0;
  return {
    talliesFor: (accountId, searched) => {
      const place = placeOf(searched);
      const own = accountId === undefined ? undefined : accounts.get(accountId)?.known;
      const { known } = all;
      return own?.get(place) ?? known.get(place) ?? known.get(placeOf(anySearch)) ?? nothing;
    },
    noteUse: (accountId, searched) => {
      const place = placeOf(searched);
      let own = accounts.get(accountId);
      if (!own) {
        own = { classes: new Map(), round, known: new Map() };
        if (!accounts.put(accountId, own)) return;
      }
      own.round = round;
      // For all accounts together, each of them counts once in a round.
      const isFirst = own.classes.get(place)?.round !== round;
      countUse(own.classes, place, searched, round);
      if (isFirst) countUse(all.classes, place, searched, round);
    },
    refresh: async () => {
      round += 1;
      const today = dayOf(clock.now().getTime());
      const range = { from: today - daysRead + 1, to: today };
      const learn = async (one: Asked, rows: readonly ClassDay[]) => {
        one.known = knownOf(rows, mostUsed(one.classes, round), today);
        await nextTurn();
      };
      await learn(all, await listClassDays(database.reader, range));
      for (const [accountId, one] of accounts) {
        if (round - one.round > roundsKept) accounts.delete(accountId);
        else await learn(one, await listClassDaysOf(database.reader, accountId, range));
      }
    },
  };
}

function placeOf({ tool, language, category, freshness }: SearchClass): string {
  return `${tool} ${language} ${category} ${freshness}`;
}

function countUse(
  classes: Asked['classes'],
  place: string,
  searched: SearchClass,
  round: number,
): void {
  const { uses } = classes.get(place) ?? { uses: 0 };
  if (uses === 0 && classes.size >= maxCounted) {
    classes.delete(
      [...classes].reduce((least, one) => (one[1].uses < least[1].uses ? one : least))[0],
    );
  }
  classes.set(place, { searched, uses: uses + 1, round });
}

/** Those that are looked up. What was not used for long is forgotten. */
function mostUsed(classes: Asked['classes'], round: number): Map<string, SearchClass> {
  for (const [place, one] of classes) {
    one.uses *= usesKept;
    if (round - one.round > roundsKept) classes.delete(place);
  }
  const most = [...classes].toSorted(([, one], [, other]) => other.uses - one.uses);
  return new Map([
    [placeOf(anySearch), anySearch],
    ...most.slice(0, maxClasses).map(([place, { searched }]) => [place, searched] as const),
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
  for (const [place, searched] of classes) {
    // What the callers of an account say about results is closer to what they want than what
    // other engines found.
    for (const source of ['feedback', 'agreement'] as const) {
      const { tallies } = narrowestEvidence(bySource.get(source) ?? [], searched, today);
      const comparable = [...tallies.values()].filter(({ n }) => n >= leastEvidence).length >= 2;
      if (!comparable) continue;
      known.set(place, tallies);
      break;
    }
  }
  return known;
}
