// The arguments of tools. An unknown argument is refused with the most similar known name, so
// that a model can correct its guess before it costs anything.
import {
  closestField,
  maxTokens,
  minTokens,
  providerChoice,
  providerIds,
  toProviderId,
  typedName,
} from '@trivium/contract';
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

/** Becomes the header x-trivium-max-tokens. */
export function tokensArgument(description: string) {
  return z
    .int()
    .min(minTokens)
    .max(maxTokens)
    .optional()
    .describe(`${description} They are cut at the ends of sentences.`);
}

/** An id, or a vendor's name, which models know. */
export function providerArgument<const Choices extends readonly string[]>(
  choices: Choices,
  description: string,
) {
  const ids = providerIds.filter((id) => choices.includes(id));
  const words = choices.filter((choice) => !ids.includes(choice as never));
  return z
    .preprocess(toProviderId, providerChoice(choices))
    .meta({ enum: [...words, ...ids.map(typedName), ...ids], description })
    .optional();
}
