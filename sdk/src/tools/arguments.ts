// The arguments of a tool. An unknown argument is refused with the most similar known name, so
// that a model can correct its guess before it costs anything.
import { z } from 'zod';

/** The names come from the caller, so their number and length are limited. */
const maxNamed = 5;
const maxNameChars = 60;

/** Common names for an argument that are spelled too differently to be found by similarity. */
type Synonyms = Readonly<Record<string, string>>;

export function argumentsOf<T extends z.ZodRawShape>(
  tool: string,
  shape: T,
  synonyms: Synonyms = {},
) {
  const fields = Object.entries(shape).map(([name, field]) => [name, orNull(field)]);
  return z.strictObject(Object.fromEntries(fields) as T, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? refusal(tool, issue.keys, Object.keys(shape), synonyms)
        : undefined,
  });
}

/** Some frameworks send null for an argument that the model left out. */
function orNull(field: z.core.$ZodType): z.core.$ZodType {
  if (field instanceof z.ZodDefault) {
    return z.preprocess(dropNull, field).default(field.def.defaultValue);
  }
  return field instanceof z.ZodOptional ? z.preprocess(dropNull, field).optional() : field;
}

function dropNull(value: unknown): unknown {
  return value === null ? undefined : value;
}

function refusal(
  tool: string,
  unknown: readonly string[],
  known: readonly string[],
  synonyms: Synonyms,
): string {
  const named = unknown.slice(0, maxNamed).map((name) => {
    const shown = JSON.stringify(name.slice(0, maxNameChars));
    const meant = Object.hasOwn(synonyms, name) ? synonyms[name] : nearest(name, known);
    return `Unknown argument ${shown}; the nearest known one is "${meant}".`;
  });
  const more = unknown.length - named.length;
  const rest = more === 0 ? [] : [`${more} more arguments are unknown.`];
  return [...named, ...rest, `The tool ${tool} accepts: ${known.join(', ')}.`].join(' ');
}

/** The name that shares the most letter pairs; the first one in a tie. */
function nearest(name: string, known: readonly string[]): string {
  const asked = pairsOf(name.slice(0, maxNameChars));
  const likeness = (candidate: string) => {
    const pairs = pairsOf(candidate);
    const shared = [...pairs].filter((pair) => asked.has(pair)).length;
    return (2 * shared) / (asked.size + pairs.size);
  };
  return known.reduce((best, one) => (likeness(one) > likeness(best) ? one : best));
}

/** Pads both ends, so that the first and the last letter form pairs too. */
function pairsOf(name: string): Set<string> {
  const letters = `^${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}$`;
  return new Set([...letters].slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`));
}
