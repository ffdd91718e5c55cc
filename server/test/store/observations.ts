// What was observed of engines, as tests put it into the store.
import { addSums, noSums, observed, type QualityDay } from '../../src/quality/core/quality-day.ts';

type Seen = (
  accountId: string,
  [engine, count, quality]: readonly [string, number, number],
  more?: Partial<QualityDay>,
) => QualityDay;

/** Rows of so many equal observations of an engine on a day. */
export function seenOn(day: number, language = ''): Seen {
  return (accountId, [engine, count, quality], more = {}) => {
    const call = { ...observed(quality), calls: 1, cost: 7000, latency_ms: 300 };
    let sums = noSums;
    for (let one = 0; one < count; one += 1) sums = addSums(sums, call);
    return {
      ...{ account_id: accountId, day, source: 'agreement', engine, ...sums },
      class: { tool: 'search', language, category: '', freshness: '' },
      ...more,
    };
  };
}
