// The operator's price file, read once at start.
import { readFileSync } from 'node:fs';
import { StartError } from './start-error.ts';

export function readPricesFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The price file ${path} cannot be read: ${reason}. Check TRIVIUM_PRICES.`);
  }
}
