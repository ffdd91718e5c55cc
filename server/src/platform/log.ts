// The log: pino as JSON lines on standard error, so that standard output stays for people.
import pino from 'pino';
import type { Logger } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled'>;

export function makeLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}
