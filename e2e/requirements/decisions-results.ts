// What was decided about the fields of a result.
import type { Requirement } from '../requirement.ts';

export const decisionsResults = [
  {
    id: 'results.score.rank',
    says: 'A synthesized score is one divided by the rank, to six decimals.',
  },
  {
    id: 'results.score.missing-native',
    says: 'An engine that usually scores but did not is scored by rank as well.',
  },
  { id: 'results.published-date.day', says: 'published_date is written YYYY-MM-DD.' },
  {
    id: 'results.published-date.uncertain',
    says: 'A date that cannot be read with certainty is left out.',
  },
  {
    id: 'results.odd-item',
    says: 'An item that cannot be read is left out and counted; the others are served.',
  },
  {
    id: 'results.unreadable',
    says: 'An answer that is unreadable as a whole, however deep it is nested, gives a 502.',
  },
  {
    id: 'results.date.two-readings',
    says: 'A date with two readings is left out; relative dates are read up to years.',
  },
  {
    id: 'results.freshness-day',
    says: 'freshness: day is approximated on every engine that knows dates only.',
  },
  { id: 'results.title.null', says: 'A title that is missing or empty is null.' },
  { id: 'results.raw.key-order', says: 'raw keeps the keys in the order in which they arrived.' },
  {
    id: 'results.latency.whole',
    says: 'latency_ms is a whole number of milliseconds, zero or more.',
  },
] as const satisfies readonly Requirement[];
