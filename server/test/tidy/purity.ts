// Purity beyond what the linter can express: the current time from `new Date()`, and connections to
// a store. The other words are in `.oxlintrc.json`.
import { isTest, placeOf, type SourceFile } from './source.ts';

const pureOutsideServer = /^(?:contract|shared)\//;
/** Only these take from the machine, so that the simulation can replace it. */
const machineFiles = [
  /^server\/src\/platform\//,
  // A separate process, which ends with its command or signal.
  /^server\/src\/main\.ts$/,
  /^server\/src\/app\/commands\//,
  /^server\/src\/store\/sqlite\/backup-files\.ts$/,
];
const words = /\bnew Date(?:\(\s*\)|(?!\s*\())|\bnew (?:Sqlite|SQL)\b|\bimport\.meta\.env\b/g;

/** Lists what is taken from the machine outside platform. */
export function checkPurity(files: SourceFile[]): string[] {
  const isOfMachine = (path: string) => machineFiles.some((allowed) => allowed.test(path));
  return files
    .filter(({ path }) => pureOutsideServer.test(path) || path.startsWith('server/src/'))
    .filter(({ path }) => !isTest(path) && !isOfMachine(path))
    .flatMap((file) =>
      [...file.code.matchAll(words)].map(
        ({ 0: word, index }) =>
          `${placeOf(file, index)}: "${word}". Time and stores come from the clock, or from ` +
          'platform/machine.ts; pure code takes `now` as an argument.',
      ),
    );
}
