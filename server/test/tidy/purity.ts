// Purity: what would make a module depend on time, randomness, the machine or the network.
import { isTest, placeOf, type SourceFile } from './source.ts';

const pureModules = [
  /^(?:contract|shared)\//,
  /^server\/src\/\w+\/core\//,
  /^server\/src\/(?:negotiation|providers)\//,
  // The shapes of other APIs only translate bodies; the routes beside them pass the bodies on.
  /^server\/src\/http\/routes\/compat\/(?!routes\.ts)/,
];

const forbidden = [
  { word: /\bBun\b/g, instead: 'Let platform do it and pass the result in.' },
  { word: /(?<![\w.$])fetch\s*\(/g, instead: 'Describe the request; upstream sends it.' },
  { word: /(?<![\w.$])process\s*\./g, instead: 'Take the value as an argument.' },
  { word: /\bDate\.now\b/g, instead: 'Take `now` as an argument.' },
  { word: /\bnew Date(?:\(\s*\)|(?!\s*\())/g, instead: 'Take `now` as an argument.' },
  { word: /\bperformance\.now\b/g, instead: 'Take `now` as an argument.' },
  { word: /\b(?:setTimeout|setInterval)\b/g, instead: 'Let a verb wait; pure code decides.' },
  { word: /\bMath\.random\b/g, instead: 'Take the random value as an argument.' },
  {
    word: /\bcrypto\.(?:randomUUID|getRandomValues)\b/g,
    instead: 'Take the id as an argument.',
  },
];

const environmentAccess = /\b(?:process|Bun|import\.meta)\.env\b/g;
const entryPoints = [
  'server/src/main.ts',
  'server/src/app/commands/audit.ts',
  'server/src/app/commands/maintain.ts',
];

/** What only platform may take from the machine, so that the simulation can replace it. */
const machineWords =
  /(?<!machine\.)\b(?:setTimeout|setImmediate|random(?:Bytes|UUID|Int)|Bun\.(?:sleep|serve|randomUUIDv7)|Date\.now|new Date\(\s*\)|performance\.now|Math\.random|new (?:Worker|Sqlite|SQL)\b|await fetch\((?=url|new|`|'))/g;
const machineFiles = [
  /^server\/src\/platform\//,
  // A separate process, which ends with its command or signal.
  /^server\/src\/main\.ts$/,
  /^server\/src\/app\/commands\//,
  /^server\/src\/store\/sqlite\/backup-files\.ts$/,
];

/**
 * Lists impure words in pure modules, readers of the environment beside the entry points, what is
 * taken from the machine outside platform, and work that is repeated without platform/every.ts.
 */
export function checkPurity(files: SourceFile[]): string[] {
  return files.filter((file) => !isTest(file.path)).flatMap(faultsOf);
}

function faultsOf(file: SourceFile): string[] {
  const pure = pureModules.some((module) => module.test(file.path));
  const impure = (pure ? forbidden : []).flatMap(({ word, instead }) =>
    [...file.code.matchAll(word)].map(
      (match) => `${placeOf(file, match.index)}: a pure module uses "${match[0]}". ${instead}`,
    ),
  );
  const inServer = file.path.startsWith('server/src/');
  const mayNotRead = inServer && !entryPoints.includes(file.path);
  const environment = [...file.code.matchAll(mayNotRead ? environmentAccess : /$^/g)].map(
    (match) =>
      `${placeOf(file, match.index)}: only ${entryPoints.join(' and ')} read the environment. ` +
      'Take the setting as an argument.',
  );
  const isOfMachine = !inServer || pure || machineFiles.some((allowed) => allowed.test(file.path));
  const timers = [...file.code.matchAll(isOfMachine ? /$^/g : machineWords)].map(
    (match) =>
      `${placeOf(file, match.index)}: "${match[0]}". Time, timers, chance, network and threads come ` +
      'from the clock, or from platform/machine.ts.',
  );
  const intervals = [...file.code.matchAll(inServer && !pure ? /\bsetInterval\b/g : /$^/g)].map(
    (match) =>
      `${placeOf(file, match.index)}: rounds of setInterval may overlap. Use platform/every.ts.`,
  );
  return [...impure, ...environment, ...timers, ...intervals];
}
