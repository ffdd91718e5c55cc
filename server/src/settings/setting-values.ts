// Settings with a single value: a number, an amount, an address, a switch or one of several words.
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

export const share = z.coerce
  .number('must be a share from 0 to 1')
  .min(0, 'must be at least 0')
  .max(1, 'must be at most 1');

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

export const switchOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  oneOf([...words, 'off'])
    .default('off')
    .transform((word) => word === 'on' || word === '1');

export const apiKey = (message: string) =>
  z.string().regex(/^sk_(?:live|test)_[A-Za-z0-9_-]{43}$/, message);

export const httpUrl = z
  .string()
  .refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must be an http or https address',
  );

/** The gateway's own address is shown to callers and strangers, and continued with a path. */
export const publicHttpUrl = httpUrl
  .regex(
    /^https?:\/\/[^\s/\\@?#]+(?:\/[^\s?#]*)?$/i,
    'must not contain a user, a query or a fragment',
  )
  .transform(withoutEndSlash);

export function withoutEndSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}
