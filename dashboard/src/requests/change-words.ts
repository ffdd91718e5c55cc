// The sentence that says how usage changed, and with what it is compared.
import type { UsageComparison } from '@trivium/contract';
import type { Outcome } from '@trivium/contract/outcomes';
import { count, day, usd } from '../format.ts';

interface Asked {
  measure: 'cost' | 'requests';
  outcome?: Outcome | 'error' | undefined;
  /** The end of the range that was asked for, which can be in the future. */
  to?: string | undefined;
  /** When the account was created. */
  created_at?: string | undefined;
}

type Sums = UsageComparison['total'];

/** Such as "+$14.20 against the day before"; the causes follow. */
export function changeWords(change: UsageComparison, asked: Asked): string {
  const { total, previous, previous_since: before } = change;
  const than = comparedWith(change, asked.to);
  const amount = (sums: Sums) =>
    asked.measure === 'cost' ? usd(sums.cost_usd) : requests(sums.requests, asked.outcome);
  if (asked.created_at !== undefined && asked.created_at > before) {
    const created = `the account was created on ${day(asked.created_at)}`;
    return `${amount(total)}, which cannot be compared with ${than}: ${created}`;
  }
  const value = ({ cost_usd, requests: number }: Sums) =>
    asked.measure === 'cost' ? cost_usd : number;
  const more = value(total) - value(previous);
  if (more === 0) return `${amount(total)}, as much as in ${than}`;
  return `${changeOf({ cost_usd: more, requests: more }, asked)} against ${than}`;
}

/** With its sign, such as −$3.10 or +42 failed requests. */
export function changeOf(
  { cost_usd, requests: number }: Sums,
  { measure, outcome }: Pick<Asked, 'measure' | 'outcome'>,
): string {
  const size = measure === 'cost' ? cost_usd : number;
  const sign = size < 0 ? '−' : '+';
  const much = Math.abs(size);
  return sign + (measure === 'cost' ? usd(much) : requests(much, outcome));
}

/** The figures behind the sentence. */
export function figuresOf({ total, previous, not_compared }: UsageComparison): string {
  const cost = `from ${usd(previous.cost_usd)} to ${usd(total.cost_usd)}`;
  const number = `from ${count(previous.requests)} to ${count(total.requests)}`;
  const left = not_compared.map((by) => `${by}s`).join(' and ');
  const note = ' cannot be compared: the range has too many requests, or begins before the log.';
  const capital = left.charAt(0).toUpperCase() + left.slice(1);
  const figures = `The cost went ${cost}, and the number of requests ${number}.`;
  return left === '' ? figures : `${figures} ${capital}${note}`;
}

const outcomeWords = {
  served: 'served ',
  refused: 'refused ',
  failed: 'failed ',
  error: 'failing ',
};

function requests(number: number, outcome?: Asked['outcome']): string {
  const which = outcome === undefined ? '' : outcomeWords[outcome];
  return `${count(number)} ${which}${number === 1 ? 'request' : 'requests'}`;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Of a range that is not over, only a part is compared. */
function comparedWith({ since, until }: UsageComparison, to: string | undefined): string {
  const end = to === undefined ? Date.parse(until) : Date.parse(to);
  const words = `the ${lengthWords(end - Date.parse(since))} before`;
  return end > Date.parse(until) ? `the same part of ${words}` : words;
}

function lengthWords(length: number): string {
  const [unit, name] = length % dayMs === 0 ? [dayMs, 'day'] : [hourMs, 'hour'];
  const many = length / unit;
  if (!Number.isInteger(many)) return 'same length of time';
  return many === 1 ? name : `${many} ${name}s`;
}
