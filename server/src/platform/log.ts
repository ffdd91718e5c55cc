// The log: JSON lines by pino on standard error. Standard output is for the start-up output.
import pino from 'pino';
import type { Logger } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled'>;

/** `processNumber` tells processes apart that write to the same log. */
export function makeLog(level: string, processNumber?: number): Log {
  const base = processNumber === undefined ? null : { process: processNumber };
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}
