// Classes of searches: an engine may be good at news and poor at German pages. Evidence is kept for
// each class, and taken from the narrowest class that has enough of it.
import type { SearchRequest } from '@trivium/contract';
import { mondayOf } from '../../requests/core/index.ts';
import { leastEvidence } from './choose.ts';
import { addTallies } from './tally.ts';
import type { DayTally, Tally } from './tally.ts';
import { currentEvidence } from './trend.ts';

/** What a request asked for. Empty if it asked for nothing in particular. */
export interface SearchClass {
  tool: string;
  language: string;
  category: string;
  freshness: string;
}

/** One engine, one class, one day: the number of rows does not grow with the number of searches. */
export interface EvidenceRow<Id extends string = string> extends DayTally {
  engine: Id;
  class: SearchClass;
  /** The sum of the votes of several accounts. Undefined for what one account may use itself. */
  votes?: number;
}

/**
 * An account has at most one vote in a week, so a larger sum is that of at least three. The margin
 * is for rounding.
 */
const leastVotes = 2.01;

/** Options that one engine alone reads give it another question. */
export function isComparable({ provider_options }: Pick<SearchRequest, 'provider_options'>) {
  return Object.keys(provider_options ?? {}).every((name) => name === 'fusion');
}

export function classOfSearch(
  request: Pick<SearchRequest, 'locale' | 'category' | 'freshness'>,
): SearchClass {
  return {
    tool: 'search',
    language: request.locale?.language?.toLowerCase() ?? '',
    category: request.category ?? '',
    freshness: request.freshness ?? '',
  };
}

/** From the narrowest to the widest: which fields of two classes must be equal. */
const widths: readonly (readonly (keyof SearchClass)[])[] = [
  ['tool', 'language', 'category', 'freshness'],
  ['tool', 'category', 'freshness'],
  ['tool', 'category'],
  ['tool'],
];

interface ClassEvidence<Id extends string = string> {
  /** The fields of the class that the evidence has in common with the request. */
  fields: readonly (keyof SearchClass)[];
  tallies: Map<Id, Tally>;
}

/**
 * All engines are compared within the same class. Otherwise the engine with the easier class would
 * win.
 */
export function narrowestEvidence<Id extends string>(
  rows: readonly EvidenceRow<Id>[],
  asked: SearchClass,
  today: number,
): ClassEvidence<Id> {
  let found: ClassEvidence<Id> = { fields: ['tool'], tallies: new Map() };
  for (const fields of widths) {
    const alike = rows.filter((row) => fields.every((field) => row.class[field] === asked[field]));
    const tallies = new Map(
      [...Map.groupBy(alike, ({ engine }) => engine)].map(([engine, ofEngine]) => [
        engine,
        currentEvidence(addDays(bindingDays(ofEngine)), today),
      ]),
    );
    found = { fields, tallies };
    if ([...tallies.values()].filter(({ n }) => n >= leastEvidence).length >= 2) return found;
  }
  return found;
}

/** Without the weeks in which too few accounts have voted to decide for others. */
function bindingDays(rows: readonly EvidenceRow[]): readonly EvidenceRow[] {
  const votes = new Map<number, number>();
  for (const { day, votes: ofRow = Infinity } of rows) {
    const week = mondayOf(day);
    votes.set(week, (votes.get(week) ?? 0) + ofRow);
  }
  return rows.filter(({ day }) => (votes.get(mondayOf(day)) ?? 0) > leastVotes);
}

/** Merges the same days of several classes. */
function addDays(days: readonly DayTally[]): DayTally[] {
  return [...Map.groupBy(days, ({ day }) => day)].map(([day, ofDay]) => ({
    day,
    tally: addTallies(ofDay.map(({ tally }) => tally)),
  }));
}
