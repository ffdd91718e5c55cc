// What a scorecard says, in a sentence: which engines can be told apart by their intervals, and what
// the cheapest of the others costs. It claims nothing that the intervals do not show.
import { leastObservations } from '@trivium/shared/agreement';

/** An engine with its quality as an interval, and its price per request. */
export interface Compared {
  name: string;
  mean: number;
  lower: number;
  upper: number;
  observations: number;
  /** In US dollars; null if no call was paid. */
  price: number | null;
}

/** `where`: on whose queries. The second sentence names the engines with too little evidence. */
export function concludeScorecard(
  engines: readonly Compared[],
  figure: string,
  where: string,
): string[] {
  const isKnown = ({ observations }: Compared) => observations >= leastObservations;
  const [best, ...others] = engines.filter(isKnown).toSorted((one, other) => other.mean - one.mean);
  const few = engines.filter((engine) => !isKnown(engine));
  const needed = `${leastObservations} observations`;
  if (!best) return [`There is too little evidence to compare engines: each needs ${needed}.`];
  const left =
    few.length === 0 ? [] : [`Not compared, with fewer than ${needed}: ${namesOf(few)}.`];
  if (others.length === 0) {
    return [
      `Only ${best.name} has ${needed} ${where}, so there is nothing to compare it with.`,
      ...left,
    ];
  }
  const alike = others.filter(({ upper }) => upper >= best.lower);
  const behind = others.filter((engine) => !alike.includes(engine));
  const price = alike.length > 0 ? priceAmong(best, alike) : priceBehind(best, behind);
  const claims = [
    claimOf(best, alike, behind, figure, where),
    ...price,
    ...(alike.length > 0 && behind.length > 0 ? [behindOf(best, behind)] : []),
  ];
  return [`${claims.join('; ')}.`, ...left];
}

function claimOf(
  best: Compared,
  alike: readonly Compared[],
  behind: readonly Compared[],
  figure: string,
  where: string,
): string {
  if (alike.length === 0) {
    return `${best.name} has a higher ${figure} than ${namesOf(behind)} ${where}`;
  }
  const pair = alike.length === 1;
  const alone = `${namesOf([...alike, best])} cannot be told apart`;
  return `${pair ? alone : `${namesOf(alike)} cannot be told apart from ${best.name}`} ${where}`;
}

function behindOf(best: Compared, behind: readonly Compared[]): string {
  return `${namesOf(behind)} ${behind.length === 1 ? 'is' : 'are'} behind ${best.name}`;
}

/** Of engines that cannot be told apart from the best, the cheapest counts. */
function priceAmong(best: Compared, alike: readonly Compared[]): string[] {
  const [cheapest] = byPrice(alike);
  const [own] = byPrice([best]);
  if (!own || !cheapest || alike.some(({ price }) => price === null)) return [];
  const alone = alike.length === 1;
  if (cheapest.price < own.price) return [cheaper({ low: cheapest, high: own, alone })];
  if (!alone) return [`none of them costs less than ${best.name}`];
  if (cheapest.price === own.price) return ['they cost the same'];
  return [cheaper({ low: own, high: cheapest, alone })];
}

function priceBehind(best: Compared, behind: readonly Compared[]): string[] {
  const [cheapest] = byPrice(behind);
  const [own] = byPrice([best]);
  if (!own || !cheapest || cheapest.price >= own.price) return [];
  return [cheaper({ low: cheapest, high: own, alone: behind.length === 1 })];
}

function byPrice(engines: readonly Compared[]): (Compared & { price: number })[] {
  return engines
    .flatMap((engine) => (engine.price === null ? [] : [{ ...engine, price: engine.price }]))
    .toSorted((one, other) => one.price - other.price);
}

const parts = [
  'half',
  'a third',
  'a quarter',
  'a fifth',
  'a sixth',
  'a seventh',
  'an eighth',
  'a ninth',
  'a tenth',
];
/** A price is called a seventh if it is that to half a percent, and about a seventh to six. */
const [exactly, about] = [0.005, 0.06];

interface Pair {
  low: Compared & { price: number };
  high: Compared & { price: number };
  /** Whether the sentence is about these two alone. */
  alone: boolean;
}

function cheaper({ low, high, alone }: Pair): string {
  if (low.price === 0) return `${low.name} costs nothing`;
  const share = low.price / high.price;
  const of = alone ? '' : ` of what ${high.name} does`;
  const place = parts.findIndex((_, at) => Math.abs(share * (at + 2) - 1) <= about);
  const part = parts[place];
  if (part !== undefined) {
    const word = Math.abs(share * (place + 2) - 1) <= exactly ? '' : 'about ';
    return `${low.name} costs ${word}${part}${of}`;
  }
  if (share < 0.1) return `${low.name} costs less than a tenth${of}`;
  const percent = Math.floor((1 - share) * 100);
  if (percent < 1) return `${low.name} costs almost the same`;
  return `${low.name} costs ${percent} % less${alone ? '' : ` than ${high.name}`}`;
}

function namesOf(engines: readonly Compared[]): string {
  return new Intl.ListFormat('en').format(engines.map(({ name }) => name));
}
