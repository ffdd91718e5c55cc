// Finds variables that are probably misspelt settings. A credential that is not read would start a
// gateway without its vendor, and a limit that is not read would not apply.
import { closest } from '@trivium/contract';

/** Names of our own commands, clients and tests, and names that Kubernetes sets for a service. */
const otherNames =
  /^TRIVIUM_(?:URL|API_KEY|PROFILE|SUPERVISED|CHROMIUM|TEST_\w+|PORT|PORT_\w+|SERVICE_\w+)$/;

interface Misspelt {
  faults: string[];
  /** Names that look like settings but resemble no known one. */
  unknown: string[];
}

export function findMisspelt(names: readonly string[], known: readonly string[]): Misspelt {
  const byLetters = new Map(known.map((name) => [lettersOf(name), name]));
  const given = new Set(names);
  const found: Misspelt = { faults: [], unknown: [] };
  for (const name of names) {
    if (known.includes(name) || otherNames.test(name)) continue;
    const meant = byLetters.get(lettersOf(name));
    if (meant !== undefined) {
      // Another program may use the other spelling.
      if (!given.has(meant)) found.faults.push(`${name} is not a setting. Did you mean ${meant}?`);
    } else if (name.startsWith('TRIVIUM_')) {
      const near = closest(name, known, 2);
      if (near === undefined) found.unknown.push(name);
      else found.faults.push(`${name} is not a setting. Did you mean ${near}?`);
    }
  }
  return found;
}

/** `EXA_APIKEY` and `exa_api_key` have the letters of `EXA_API_KEY`. */
function lettersOf(name: string): string {
  return name.replaceAll('_', '').toUpperCase();
}
