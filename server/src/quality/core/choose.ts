// Routing by quality: the cheapest engine whose measured quality is about as good as the best one's.
// An engine may be good at news and poor at German pages, so evidence is kept for classes of
// searches, and taken from the narrowest class that has enough of it.
import type { SearchRequest } from '@trivium/contract';
import { leastObservations as leastEvidence } from '@trivium/shared/agreement';
import { usd } from '../../billing/core/index.ts';
import { mondayOf } from '../../requests/core/index.ts';
import {
  currentEvidence,
  type DayTally,
  type Estimate,
  estimate,
  sumOfDays,
  type Tally,
} from './tally.ts';

/** An engine that may serve, at its position in the configured order. */
export interface QualityCandidate<Id extends string = string> {
  engine: Id;
  /** The most that the request can cost, in micro-USD. Undefined if the engine cannot serve it. */
  price: number | undefined;
  /** What is known about its quality for such requests. Undefined if nothing is. */
  tally: Tally | undefined;
}

interface ChoiceRules {
  /** How far below the best an engine may be: 0.05 allows 95 percent of the best. */
  bar: number;
  /** The share of requests for which another engine is tried, to learn about it. */
  exploration: number;
}

export interface QualityChoice<Id extends string = string> {
  /** `order` while there is too little evidence to compare. */
  by: 'quality' | 'exploration' | 'order';
  /**
   * The chosen engine first, then those that may serve in its place. The reason for a position is a
   * sentence without a full stop.
   */
  order: { engine: Id; reason: string }[];
}

/**
 * `random` returns a number from 0 to 1 and is called once, so that a seed reproduces the choices.
 */
export function choose<Id extends string>(
  candidates: readonly QualityCandidate<Id>[],
  { bar, exploration }: ChoiceRules,
  random: () => number,
): QualityChoice<Id> {
  const drawn = random();
  const ranked = rank(candidates, bar);
  if (drawn >= exploration) return ranked;
  const isAble = (id: Id) => candidates.find(({ engine }) => engine === id)?.price !== undefined;
  const others = ranked.order.slice(1).filter(({ engine }) => isAble(engine));
  const tried = others[Math.floor((drawn / exploration) * others.length)];
  if (!tried) return ranked;
  const reason = `tried first to learn about it, as in ${percent(exploration)} of requests`;
  const rest = ranked.order.filter((one) => one !== tried);
  return { by: 'exploration', order: [{ ...tried, reason }, ...rest] };
}

function rank<Id extends string>(
  candidates: readonly QualityCandidate<Id>[],
  bar: number,
): QualityChoice<Id> {
  const unable = candidates
    .filter(({ price }) => price === undefined)
    .map(({ engine }) => ({ engine, reason: 'it cannot serve this request' }));
  const able = candidates.flatMap(({ price, ...one }) =>
    price === undefined ? [] : [{ ...one, price, quality: one.tally && estimate(one.tally) }],
  );
  const known = able.flatMap(({ quality, ...one }) =>
    quality && quality.n >= leastEvidence ? [{ ...one, quality }] : [],
  );
  // A single engine has nothing to be compared with.
  if (known.length < 2) {
    const order = able.map(({ engine, tally }) => ({
      engine,
      reason: `its place in the fixed order, because fewer than two engines have ${leastEvidence} observations (this one has ${observations(tally)})`,
    }));
    return { by: 'order', order: [...order, ...unable] };
  }
  const best = Math.max(...known.map(({ quality }) => quality.lower));
  const isWithin = ({ quality }: (typeof known)[number]) => quality.lower >= best * (1 - bar);
  const within = known.filter(isWithin).toSorted((one, other) => one.price - other.price);
  const below = known
    .filter((one) => !isWithin(one))
    .toSorted((one, other) => other.quality.lower - one.quality.lower);
  const unknown = able.filter(({ engine }) => !known.some((one) => one.engine === engine));
  return {
    by: 'quality',
    order: [
      ...within.map(({ engine, price, quality }, at) => ({
        engine,
        reason: `${describe(quality)}, within ${percent(bar)} of the best, and ${
          at === 0 ? 'the cheapest of these' : 'more expensive'
        } at ${usd(price)} USD`,
      })),
      ...below.map(({ engine, quality }) => ({
        engine,
        reason: `${describe(quality)}, more than ${percent(bar)} below the best`,
      })),
      ...unknown.map(({ engine, tally }) => ({
        engine,
        reason: `only ${observations(tally)} of ${leastEvidence} observations`,
      })),
      ...unable,
    ],
  };
}

/** The lower bound decides, so it is the figure that is shown. */
function describe({ lower, n }: Estimate): string {
  return `quality at least ${lower.toFixed(3)} by ${Math.round(n)} observations`;
}

function observations(tally: Tally | undefined): number {
  return Math.floor(tally?.n ?? 0);
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}

/** What a request asked for. Empty if it asked for nothing in particular. */
export interface SearchClass {
  tool: string;
  language: string;
  category: string;
  freshness: string;
}

/** One engine, one class, one day: the number of rows does not grow with the number of searches. */
export interface EvidenceRow extends DayTally {
  engine: string;
  class: SearchClass;
  /** The sum of the votes of several accounts. Undefined for what one account may use itself. */
  votes?: number;
}

/**
 * An account has at most one vote in a week, so a larger sum is that of at least three. The margin
 * is for rounding.
 */
const leastVotes = 2.01;

/** Options that only one engine reads turn the search into a different question. */
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

/**
 * All engines are compared within the same class. Otherwise the engine with the easier class would
 * win. If no class has enough evidence, the widest is returned.
 */
export function narrowestEvidence(
  rows: readonly EvidenceRow[],
  asked: SearchClass,
  today: number,
): Map<string, Tally> {
  let tallies = new Map<string, Tally>();
  for (const fields of widths) {
    const alike = rows.filter((row) => fields.every((field) => row.class[field] === asked[field]));
    tallies = new Map(
      [...Map.groupBy(alike, ({ engine }) => engine)].map(([engine, ofEngine]) => {
        // The same days of several classes are merged.
        const byDay = [...Map.groupBy(bindingDays(ofEngine), ({ day }) => day)];
        const days = byDay.map(([day, ofDay]) => ({ day, tally: sumOfDays(ofDay) }));
        return [engine, currentEvidence(days, today)];
      }),
    );
    if (canCompare(tallies)) break;
  }
  return tallies;
}

/** True if at least two engines have enough evidence. */
export function canCompare(tallies: ReadonlyMap<string, Tally>): boolean {
  return [...tallies.values()].filter(({ n }) => n >= leastEvidence).length >= 2;
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
