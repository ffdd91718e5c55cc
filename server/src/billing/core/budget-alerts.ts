// Decides which alerts of a budget are due: at 80 % and at 100 % of a cap, once each per period.

/** Highest first. */
const alertLevels = [100, 80] as const;
export const lowestAlert = 80;

interface BudgetCap {
  /** In micro-USD. */
  cap: number | null;
  spent: number;
  /** The day, or the first day of the month, as YYYY-MM-DD. */
  period: string;
  /** The last alert: its period, cap and level. */
  announced: string | null;
}

interface Alert {
  percent: (typeof alertLevels)[number];
  mark: string;
}

/** Undefined if no new alert is due. After the cap changes, its alerts are due again. */
export function alertOf({ cap, spent, period, announced }: BudgetCap): Alert | undefined {
  if (cap === null || cap === 0) return undefined;
  const percent = alertLevels.find((level) => spent * 100 >= cap * level);
  if (percent === undefined) return undefined;
  const [of, known] = splitMark(announced);
  if (of === `${period} ${cap}` && known >= percent) return undefined;
  return { percent, mark: `${period} ${cap} ${percent}` };
}

function splitMark(mark: string | null): [of: string, level: number] {
  const parts = (mark ?? '').split(' ');
  return [parts.slice(0, 2).join(' '), Number(parts[2] ?? 0)];
}
