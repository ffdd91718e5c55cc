// The arguments of a tool: one that the tool does not know is refused, and the error names the
// known one it resembles most, so that a model's guess is corrected before it costs anything.
import { z } from 'zod';

/** The names come from the caller, so their number and length are bounded. */
const maxNamed = 5;
const maxNameChars = 60;

/** Other words for an argument, which no likeness of letters would lead to. */
type Synonyms = Readonly<Record<string, string>>;

export function argumentsOf<T extends z.ZodRawShape>(
  tool: string,
  shape: T,
  synonyms: Synonyms = {},
) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? refusal(tool, issue.keys, Object.keys(shape), synonyms)
        : undefined,
  });
}

function refusal(
  tool: string,
  unknown: readonly string[],
  known: readonly string[],
  synonyms: Synonyms,
): string {
  const told = unknown.slice(0, maxNamed).map((name) => {
    const shown = JSON.stringify(name.slice(0, maxNameChars));
    const meant = Object.hasOwn(synonyms, name) ? synonyms[name] : nearest(name, known);
    return `Unknown argument ${shown}; the nearest known one is "${meant}".`;
  });
  const more = unknown.length - told.length;
  const rest = more === 0 ? [] : [`${more} more are unknown.`];
  return [...told, ...rest, `The tool ${tool} knows: ${known.join(', ')}.`].join(' ');
}

/** The one that shares the most pairs of neighbouring letters, the first of equals. */
function nearest(name: string, known: readonly string[]): string {
  const asked = pairsOf(name.slice(0, maxNameChars));
  const likeness = (candidate: string) => {
    const pairs = pairsOf(candidate);
    const shared = [...pairs].filter((pair) => asked.has(pair)).length;
    return (2 * shared) / (asked.size + pairs.size);
  };
  return known.reduce((best, one) => (likeness(one) > likeness(best) ? one : best));
}

/** With an edge on both sides, so that the first and the last letter count as pairs too. */
function pairsOf(name: string): Set<string> {
  const letters = `^${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}$`;
  return new Set([...letters].slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`));
}
