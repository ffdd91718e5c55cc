// Settings that are comma-separated lists.
import { idOfVendor } from '@trivium/contract/provider-names';
import { z } from 'zod';
import { readProxies } from '../platform/addresses.ts';

/** Spelled as browsers send them, because they are compared as text. */
export const origins = z
  .string()
  .transform(partsOf)
  .refine((list) => list.every((one) => one === '*' || URL.parse(one)?.origin === one), {
    error: 'must be * or a comma-separated list of origins such as https://app.example.com',
  });

/** Addresses and networks of trusted proxies. None by default. */
export const proxies = z
  .string()
  .default('')
  .transform((text, context) => {
    const read = readProxies(partsOf(text));
    if (read) return read;
    context.addIssue('must be a comma-separated list of addresses or networks such as 10.0.0.0/8');
    return z.NEVER;
  });

/** Ids, or the names of their vendors. */
export function idList<const T extends readonly [string, ...string[]]>(ids: T) {
  return z
    .string()
    .transform((text) => partsOf(text).map(idOf))
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
  const words = `must be a list such as ${ids[0]}=3 with whole numbers from 1 to ${maxWeight}`;
  return z.string().transform((text, context) => {
    const found = new Map<string, number>();
    for (const part of partsOf(text)) {
      const [name = '', weight = '', ...rest] = part.split('=').map((one) => one.trim());
      const id = idOf(name);
      const isWeight = /^[1-9]\d{0,3}$/.test(weight) && Number(weight) <= maxWeight;
      if (!ids.includes(id) || found.has(id) || !isWeight || rest.length > 0) {
        context.addIssue(`${words}, and each id once of: ${ids.join(', ')}`);
        return z.NEVER;
      }
      found.set(id, Number(weight));
    }
    return Object.fromEntries(found) as Partial<Record<T[number], number>>;
  });
}

/** A list of words that look alike; `message` says what they are. */
export function words(pattern: RegExp, message: string) {
  return z
    .string()
    .transform(partsOf)
    .refine((list) => list.length > 0 && list.every((one) => pattern.test(one)), message);
}

function idOf(name: string): string {
  return idOfVendor(name) ?? name;
}

function partsOf(text: string): string[] {
  return text.split(',').flatMap((part) => (part.trim() ? [part.trim()] : []));
}
