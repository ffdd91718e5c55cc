// The tests sign people in several hundred times, and each hash of a password takes as much
// processor time as the start of a gateway. So only the executable of the tests hashes quickly; the
// gateways inside the test processes, from the sources and of the packages hash as in production.
import { readFileSync } from 'node:fs';
import type { BunPlugin } from 'bun';

const hashingModule = /\/@better-auth\/utils\/dist\/password\.node\.mjs$/;
/** The cost of scrypt. */
const usual = 'N: 16384,';
const quick = 'N: 16,';

export const quickPasswords: BunPlugin = {
  name: 'quick passwords',
  setup: (build) => {
    build.onLoad({ filter: hashingModule }, ({ path }) => {
      const contents = hashQuickly(readFileSync(path, 'utf8'));
      return { loader: 'js', contents };
    });
  },
};

export function hashQuickly(text: string): string {
  if (!text.includes(usual))
    throw new Error(`The library no longer hashes passwords with ${usual}`);
  return text.replace(usual, quick);
}
