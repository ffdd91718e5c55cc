// The arguments of a tool. An unknown argument is refused with the most similar known name, so
// that a model can correct its guess before it costs anything.
import { closestField } from '@trivium/contract';
import { z } from 'zod';

/** The names come from the caller, so their number and length are limited. */
const maxNamed = 5;
const maxNameChars = 60;

export function argumentsOf<T extends z.ZodRawShape>(tool: string, shape: T) {
  const fields = Object.entries(shape).map(([name, field]) => [name, orNull(field)]);
  return z.strictObject(Object.fromEntries(fields) as T, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? refusal(tool, issue.keys, Object.keys(shape))
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

function refusal(tool: string, unknown: readonly string[], known: readonly string[]): string {
  const named = unknown.slice(0, maxNamed).map((name) => {
    const shown = JSON.stringify(name.slice(0, maxNameChars));
    const meant = closestField(name, known);
    const hint = meant === undefined ? '' : `; the nearest known one is "${meant}"`;
    return `Unknown argument ${shown}${hint}.`;
  });
  const more = unknown.length - named.length;
  const rest = more === 0 ? [] : [`${more} more arguments are unknown.`];
  return [...named, ...rest, `The tool ${tool} accepts: ${known.join(', ')}.`].join(' ');
}
