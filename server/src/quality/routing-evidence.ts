// What routing by quality knows about engines: read from the store once a minute for the accounts
// and classes of searches that were asked for lately, so that a request only looks it up.
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
  /** For a search of an account; of all accounts for an empty id. Takes no time. */
  talliesFor: (accountId: string, searched: SearchClass) => EngineTallies;
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

interface Asked {
  classes: Map<string, SearchClass>;
  round: number;
  known: ReadonlyMap<string, EngineTallies>;
}

const nothing: EngineTallies = new Map();
const anySearch: SearchClass = { tool: 'search', language: '', category: '', freshness: '' };
/** All accounts together. */
const everyone = '';

export function makeRoutingEvidence({ database, clock }: EvidenceContext): RoutingEvidence {
  const asked = new Map<string, Asked>();
  let round = 0;
  const noted = (accountId: string, place: string, searched: SearchClass): Asked | undefined => {
    let one = asked.get(accountId);
    if (!one) {
      if (asked.size > maxAccounts) return undefined;
      one = { classes: new Map([[placeOf(anySearch), anySearch]]), round, known: new Map() };
      asked.set(accountId, one);
    }
    one.round = round;
    if (one.classes.size < maxClasses) one.classes.set(place, searched);
    return one;
  };
  noted(everyone, placeOf(anySearch), anySearch);
  return {
    talliesFor: (accountId, searched) => {
      const place = placeOf(searched);
      const own = noted(accountId, place, searched)?.known;
      const all = noted(everyone, place, searched)?.known;
      const widest = placeOf(anySearch);
      return own?.get(place) ?? all?.get(place) ?? all?.get(widest) ?? nothing;
    },
    refresh: async () => {
      round += 1;
      const today = dayOf(clock.now().getTime());
      const range = { from: today - daysRead + 1, to: today };
      for (const [accountId, one] of asked) {
        if (accountId !== everyone && round - one.round > roundsKept) {
          asked.delete(accountId);
          continue;
        }
        const rows =
          accountId === everyone
            ? await listClassDays(database.reader, range)
            : await listClassDaysOf(database.reader, accountId, range);
        one.known = knownOf(rows, one.classes, today);
        await nextTurn();
      }
    },
  };
}

function placeOf({ tool, language, category, freshness }: SearchClass): string {
  return `${tool} ${language} ${category} ${freshness}`;
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
