// Checks the timeouts and retries of a client or a call.
import { ConfigurationError } from './errors.ts';

const mostRetries = 100;
/** The longest time that the timers of all runtimes support. */
const maxTimerMs = 2_147_483_647;

export function checkTimeout(value: number): number {
  return wholeNumber('timeoutMs', value, 1, maxTimerMs);
}

export function checkRetries(value: number): number {
  return wholeNumber('maxRetries', value, 0, mostRetries);
}

function wholeNumber(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ConfigurationError(`${name} must be a whole number from ${min} to ${max}.`);
}
