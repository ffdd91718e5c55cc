// A time range as whole days, whose sums are kept, and the parts of days at its ends.
import { dayMs } from '@trivium/contract/durations';
import { addUsage, noUsage, type UsageSums } from '../../requests/core/index.ts';

/** Later than any time a request can have. */
const farFuture = 8_640_000_000_000_000;

export interface TimeSpan {
  /** In milliseconds. `before` is exclusive. */
  from: number;
  before: number;
  /** The parameter that is not a whole day. */
  path: 'from' | 'to';
}

/** `days` is undefined if the range contains no whole day. Both of its ends are inclusive. */
export function daysAndEdges(range: { from: number | undefined; before: number | undefined }): {
  days: { from_day?: number; to_day?: number } | undefined;
  edges: TimeSpan[];
} {
  const { from = 0, before = farFuture } = range;
  const firstDay = Math.ceil(from / dayMs);
  const endDay = Math.floor(before / dayMs);
  if (firstDay > endDay) return { days: undefined, edges: [{ from, before, path: 'from' }] };
  const edges: TimeSpan[] = [
    { from, before: firstDay * dayMs, path: 'from' },
    { from: endDay * dayMs, before, path: 'to' },
  ];
  const days = {
    ...(range.from === undefined ? {} : { from_day: firstDay }),
    ...(range.before === undefined ? {} : { to_day: endDay - 1 }),
  };
  return {
    days: firstDay < endDay ? days : undefined,
    edges: edges.filter((edge) => edge.from < edge.before && edge.before !== farFuture),
  };
}

/** One sum for each group, in the order of the groups. */
export function addUp(parts: readonly (UsageSums & { group: string | number })[]) {
  const sums = new Map<string, UsageSums & { group: string }>();
  for (const part of parts) {
    const group = String(part.group);
    sums.set(group, { group, ...addUsage(sums.get(group) ?? noUsage, part) });
  }
  const order = new Intl.Collator('en', { numeric: true });
  return [...sums.values()].sort((one, other) => order.compare(one.group, other.group));
}
