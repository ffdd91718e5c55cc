// Programs of the clone this command belongs to: they need the sources of the gateway and its
// settings, which only a clone or the image has.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The words that start a program of the clone; undefined where there is only the client. */
export function programOf(entry: string, args: readonly string[] = []): string[] | undefined {
  const starter = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url));
  return existsSync(starter) ? ['node', starter, entry, ...args] : undefined;
}
