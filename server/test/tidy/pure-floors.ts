// The words that would make a pure floor depend on the hour, the dice, the machine or the network.
import { isTest, placeOf, type SourceFile } from './source.ts';

const PURE_FLOORS = [
  'contract/',
  'server/src/domain/',
  'server/src/providers/',
  'server/src/compat/',
];

const FORBIDDEN = [
  { word: /\bBun\b/g, instead: 'Let platform do it and pass the result in.' },
  { word: /(?<![\w.$])fetch\s*\(/g, instead: 'Describe the request; services send it.' },
  { word: /(?<![\w.$])process\s*\./g, instead: 'Take the value as an argument.' },
  { word: /\bDate\.now\b/g, instead: 'Take `now` as an argument.' },
  { word: /\bnew Date(?:\(\s*\)|(?!\s*\())/g, instead: 'Take `now` as an argument.' },
  { word: /\bperformance\.now\b/g, instead: 'Take `now` as an argument.' },
  { word: /\b(?:setTimeout|setInterval)\b/g, instead: 'Services wait; pure code decides.' },
  { word: /\bMath\.random\b/g, instead: 'Take the random value as an argument.' },
  {
    word: /\bcrypto\.(?:randomUUID|getRandomValues)\b/g,
    instead: 'Take the id as an argument.',
  },
];

const ENVIRONMENT = /\b(?:process|Bun|import\.meta)\.env\b/g;
const ROOFS = ['server/src/main.ts', 'server/src/audit.ts', 'server/src/maintain.ts'];

/** Lists every impure word in the pure floors, and every reader of the environment but the roof. */
export function checkPurity(files: SourceFile[]): string[] {
  return files.filter((file) => !isTest(file.path)).flatMap(faultsOf);
}

function faultsOf(file: SourceFile): string[] {
  const pure = PURE_FLOORS.some((floor) => file.path.startsWith(floor));
  const impure = (pure ? FORBIDDEN : []).flatMap(({ word, instead }) =>
    [...file.code.matchAll(word)].map(
      (match) => `${placeOf(file, match.index)}: a pure floor says "${match[0]}". ${instead}`,
    ),
  );
  const reads = file.path.startsWith('server/src/') && !ROOFS.includes(file.path);
  const environment = [...file.code.matchAll(reads ? ENVIRONMENT : /$^/g)].map(
    (match) =>
      `${placeOf(file, match.index)}: only ${ROOFS.join(' and ')} read the environment. ` +
      'Take the setting as an argument.',
  );
  return [...impure, ...environment];
}
