// Settings with a single value: a number, an amount, a port or one of several words.
import { z } from 'zod';

export const whole = (min: number, max: number, fallback: number) =>
  wholeNumber(min, max).default(fallback);

export const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number(`must be a whole number from ${min} to ${max}`)
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);

export const usdUpTo = (max: number) =>
  z.coerce
    .number('must be an amount in USD')
    .min(0, 'must not be negative')
    .max(max, `must be at most ${max}`)
    .refine((usd) => Number.isInteger(Math.round(usd * 1e9) / 1e3), 'must be exact to 0.000001');
export const port = wholeNumber(1, 65_535);

const maxProcesses = 256;
export const processes = z
  .string()
  .transform((text) => (text === 'auto' ? text : Number(text)))
  .refine(
    (given) => given === 'auto' || (Number.isInteger(given) && given >= 1 && given <= maxProcesses),
    `must be a whole number from 1 to ${maxProcesses}, or auto`,
  );

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of: ${values.join(', ')}`);

/** Only settings that are set become properties. */
export function optional<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [P in K]?: V });
}

export function pick(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]];
}

export function faultIn(issue: z.core.$ZodIssue): string {
  return `${String(issue.path[0])} ${issue.message}.`;
}
