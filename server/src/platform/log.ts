// The log: JSON lines, written by pino to standard error. Standard output is for the start-up
// output.
import { hideSignatures } from '@trivium/contract';
import pino from 'pino';
import type { Logger } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled'>;

/** `processNumber` distinguishes processes that write to the same log. */
export function makeLog(level: string, processNumber?: number): Log {
  const base = processNumber === undefined ? null : { process: processNumber };
  const timestamp = pino.stdTimeFunctions.isoTime;
  const hooks = { streamWrite: hideSignatures };
  return pino({ level, base, timestamp, hooks }, pino.destination(2));
}
