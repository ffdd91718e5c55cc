// The schemas of setting values: numbers, amounts, addresses, switches, words, and lists of them.
import { idOfVendor } from '@trivium/contract/provider-names';
import { z } from 'zod';
import { readProxies } from '../platform/addresses.ts';

export const wholeOr = (min: number, max: number, fallback: number) =>
  wholeBetween(min, max).default(fallback);

export const wholeBetween = (min: number, max: number) =>
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

export const port = wholeBetween(1, 65_535);

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

/** Spelled as browsers send them, because they are compared as text. */
export const origins = z
  .string()
  .transform(listIn)
  .refine((list) => list.every((one) => one === '*' || URL.parse(one)?.origin === one), {
    error: 'must be * or a comma-separated list of origins such as https://app.example.com',
  });

/** Addresses and networks of trusted proxies. None by default. */
export const proxies = readBy(
  (text) => readProxies(listIn(text)),
  'must be a comma-separated list of addresses or networks such as 10.0.0.0/8',
).prefault('');

/** Ids, or the names of their vendors. */
export function idList<const T extends readonly [string, ...string[]]>(ids: T) {
  return z
    .string()
    .transform((text) => listIn(text).map(idOf))
    .pipe(
      z
        .array(
          z.enum(ids, {
            error: (issue) => `"${String(issue.input)}" is not one of: ${ids.join(', ')}`,
          }),
        )
        .min(1, 'names nothing')
        .refine((list) => new Set(list).size === list.length, 'names the same id twice'),
    );
}

const maxWeight = 1000;

/** Such as `engine_a=3, engine_b=1`, or with the names of vendors. */
export function weights<const T extends readonly [string, ...string[]]>(ids: T) {
  const expected = `must be a list such as ${ids[0]}=3 with whole numbers from 1 to ${maxWeight}`;
  const read = (text: string) => {
    const found = new Map<string, number>();
    for (const part of listIn(text)) {
      const [name = '', weight = '', ...rest] = part.split('=').map((one) => one.trim());
      const id = idOf(name);
      const isWeight = /^[1-9]\d{0,3}$/.test(weight) && Number(weight) <= maxWeight;
      if (!ids.includes(id) || found.has(id) || !isWeight || rest.length > 0) return undefined;
      found.set(id, Number(weight));
    }
    return Object.fromEntries(found) as Partial<Record<T[number], number>>;
  };
  return readBy(read, `${expected}, and each id once of: ${ids.join(', ')}`);
}

/** A list of words that look alike; `message` says what they are. */
export function listOf(pattern: RegExp, message: string) {
  return z
    .string()
    .transform(listIn)
    .refine((list) => list.length > 0 && list.every((one) => pattern.test(one)), message);
}

function idOf(name: string): string {
  return idOfVendor(name) ?? name;
}

/** The parts of a comma-separated list. */
export function listIn(text: string): string[] {
  return text.split(',').flatMap((part) => (part.trim() ? [part.trim()] : []));
}

/** `read` returns nothing for a text that it does not understand. */
export function readBy<T>(read: (text: string) => T | undefined, message: string) {
  return z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue(message);
    return z.NEVER;
  });
}
