// Routing by quality: the cheapest engine whose measured quality is about as good as the best
// one's.
import { usd } from '../../billing/core/index.ts';
import { estimate } from './tally.ts';
import type { Estimate, Tally } from './tally.ts';

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

interface ChosenPlace<Id extends string = string> {
  engine: Id;
  /** Why it has this position, in a sentence without a full stop. */
  reason: string;
}

interface QualityChoice<Id extends string = string> {
  /** `order` while there is too little evidence to compare. */
  by: 'quality' | 'exploration' | 'order';
  /** The chosen engine first, then those that may serve in its place. */
  order: ChosenPlace<Id>[];
}

/** With fewer observations than this an engine is not compared. */
export const leastEvidence = 10;

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
  const others = ranked.order.slice(1).filter(({ candidate }) => candidate.price !== undefined);
  const tried =
    drawn < exploration ? others[Math.floor((drawn / exploration) * others.length)] : undefined;
  if (tried === undefined) return { by: ranked.by, order: ranked.order.map(placeOf) };
  const rest = ranked.order.filter((one) => one !== tried);
  const reason = `tried first to learn about it, as in ${percent(exploration)} of requests`;
  return {
    by: 'exploration',
    order: [{ engine: tried.candidate.engine, reason }, ...rest.map(placeOf)],
  };
}

interface Ranked<Id extends string> {
  candidate: QualityCandidate<Id>;
  reason: string;
}

function placeOf<Id extends string>({ candidate, reason }: Ranked<Id>): ChosenPlace<Id> {
  return { engine: candidate.engine, reason };
}

function rank<Id extends string>(
  candidates: readonly QualityCandidate<Id>[],
  bar: number,
): { by: 'quality' | 'order'; order: Ranked<Id>[] } {
  const unable = candidates
    .filter(({ price }) => price === undefined)
    .map((candidate) => ({ candidate, reason: 'it cannot serve this request' }));
  const able = candidates.filter(({ price }) => price !== undefined);
  const known = able.flatMap((candidate) => {
    const quality = candidate.tally && estimate(candidate.tally);
    return quality && quality.n >= leastEvidence ? [{ candidate, quality }] : [];
  });
  const unknown = able
    .filter((candidate) => !known.some((one) => one.candidate === candidate))
    .map((candidate) => ({ candidate, reason: littleEvidence(candidate) }));
  // A single engine has nothing to be compared with.
  if (known.length < 2) {
    const order = able.map((candidate) => ({ candidate, reason: inFixedOrder(candidate) }));
    return { by: 'order', order: [...order, ...unable] };
  }
  const best = Math.max(...known.map(({ quality }) => quality.lower));
  const isWithin = ({ quality }: (typeof known)[number]) => quality.lower >= best * (1 - bar);
  const within = known
    .filter(isWithin)
    .toSorted((one, other) => (one.candidate.price ?? 0) - (other.candidate.price ?? 0));
  const below = known
    .filter((one) => !isWithin(one))
    .toSorted((one, other) => other.quality.lower - one.quality.lower);
  return {
    by: 'quality',
    order: [
      ...within.map(({ candidate, quality }, at) => ({
        candidate,
        reason: `${describe(quality)}, within ${percent(bar)} of the best, and ${
          at === 0 ? 'the cheapest of these' : 'more expensive'
        } at ${usd(candidate.price ?? 0)} USD`,
      })),
      ...below.map(({ candidate, quality }) => ({
        candidate,
        reason: `${describe(quality)}, more than ${percent(bar)} below the best`,
      })),
      ...unknown,
      ...unable,
    ],
  };
}

/** The lower bound decides, so it is the figure that is shown. */
function describe({ lower, n }: Estimate): string {
  return `quality at least ${lower.toFixed(3)} by ${Math.round(n)} observations`;
}

function littleEvidence({ tally }: QualityCandidate): string {
  return `only ${Math.floor(tally?.n ?? 0)} of ${leastEvidence} observations`;
}

function inFixedOrder(candidate: QualityCandidate): string {
  return `its place in the fixed order, because fewer than two engines have ${leastEvidence} observations (this one has ${Math.floor(candidate.tally?.n ?? 0)})`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}
