// How many refused requests of an account are logged: refusals are free, and each row of the log
// takes some kilobytes.
import { minuteMs } from '@trivium/contract/durations';

/** What an account has left, and since when it has not been counted. */
export interface LogAllowance {
  rows: number;
  at: number;
}

/** At once, as a person needs who looks for a fault. */
export const maxRows = 300;
/** Again in each minute. */
export const rowsPerMinute = 20;

/** Undefined when the refusal is not logged. */
export function takeRow(before: LogAllowance | undefined, now: number): LogAllowance | undefined {
  const { rows, at } = before ?? { rows: maxRows, at: now };
  const grown = (Math.max(0, now - at) / minuteMs) * rowsPerMinute;
  const left = Math.min(maxRows, rows + grown);
  return left < 1 ? undefined : { rows: left - 1, at: now };
}
