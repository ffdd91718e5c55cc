// What was decided about the fields of a result.
export const decisionsResults = {
  'results.score.rank': 'A synthesized score is one divided by the rank, to six decimals.',
  'results.score.missing-native':
    'An engine that usually scores but did not is scored by rank as well.',
  'results.published-date.day': 'published_date is written YYYY-MM-DD.',
  'results.published-date.uncertain': 'A date that cannot be read with certainty is left out.',
  'results.odd-item': 'An item that cannot be read is left out and counted; the others are served.',
  'results.unreadable':
    'An answer that is unreadable as a whole, however deep it is nested, gives a 502.',
  'results.date.two-readings':
    'A date with two readings is left out; relative dates are read up to years.',
  'results.freshness-day': 'freshness: day is approximated on every engine that knows dates only.',
  'results.title.null': 'A title that is missing or empty is null.',
  'results.raw.key-order': 'raw keeps the keys in the order in which they arrived.',
  'results.latency.whole': 'latency_ms is a whole number of milliseconds, zero or more.',
} as const;
