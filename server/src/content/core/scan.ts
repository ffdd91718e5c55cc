// Scans one text from the web for everything that is not meant for a reader. Takes linear time in
// its length.
import { findHiddenCharacters, removeHiddenCharacters } from './hidden-characters.ts';
import { findLookalikeHosts } from './hosts.ts';
import { findInstructions } from './instructions.ts';
import { findMarkup, removeMarkup } from './markup.ts';
import { joinSignals } from './signals.ts';
import type { Signal } from './signals.ts';

export function scan(text: string): Signal[] {
  return joinSignals([
    ...findHiddenCharacters(text),
    ...findLookalikeHosts(text),
    ...findInstructions(text),
    ...findMarkup(text),
  ]);
}

/** More rounds are needed only for a text that is designed to leave something behind. */
const maxRounds = 5;

/** Removes what is not shown and what would carry data out. The words of sentences stay. */
export function clean(text: string): string {
  let cleaned = text;
  for (let round = 0; round < maxRounds; round += 1) {
    const next = removeMarkup(removeHiddenCharacters(cleaned));
    if (next === cleaned) return cleaned;
    cleaned = next;
  }
  return cleaned;
}
