// Google's time filter, which vendors based on its results pass through: windows and ranges.
import { hourMs } from './durations.ts';
import type { Filters } from './ranking.ts';

/** Matches both forms; `sbd:1,` before it sorts by date. */
export const timeFilter =
  /^(?:sbd:1,)?(?:qdr:[hdwmy]\d{0,3}|cdr:1(?:,cd_(?:min|max):\d{1,2}\/\d{1,2}\/\d{4}){1,2})$/;

export function readTimeFilter(tbs: string, now: Date): Filters {
  const [, unit, count] = /qdr:([hdwmy])(\d*)/.exec(tbs) ?? [];
  if (unit !== undefined) {
    const hours = (hoursOf[unit] ?? 0) * Number(count === '' ? 1 : count);
    return { after: new Date(now.getTime() - hours * hourMs), undated: 'drop' };
  }
  const first = readBound(tbs, 'min');
  const last = readBound(tbs, 'max');
  return {
    undated: 'drop',
    ...(first ? { after: first } : {}),
    ...(last ? { before: new Date(last.getTime() + hoursADay * hourMs - 1) } : {}),
  };
}

const hoursADay = 24;
const hoursOf: Record<string, number> = { h: 1, d: 24, w: 168, m: 744, y: 8760 };

function readBound(tbs: string, which: 'min' | 'max'): Date | undefined {
  const found = new RegExp(`cd_${which}:(\\d+)/(\\d+)/(\\d+)`).exec(tbs);
  if (!found) return undefined;
  const [month, day, year] = found.slice(1).map(Number);
  return new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day));
}
