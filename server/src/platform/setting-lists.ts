// Settings that are comma-separated lists.
import { z } from 'zod';
import { readProxies } from './addresses.ts';

/** Spelled as browsers send them, because they are compared as text. */
export const origins = z
  .string()
  .transform(partsOf)
  .refine((list) => list.every((one) => one === '*' || URL.parse(one)?.origin === one), {
    error: 'must be * or a comma-separated list of origins such as https://app.example.com',
  });

/** Addresses and networks of trusted proxies; none by default. */
export const proxies = z
  .string()
  .default('')
  .transform((text, context) => {
    const read = readProxies(partsOf(text));
    if (read) return read;
    context.addIssue('must be a comma-separated list of addresses or networks such as 10.0.0.0/8');
    return z.NEVER;
  });

export function idList<const T extends readonly [string, ...string[]]>(ids: T) {
  return z
    .string()
    .transform(partsOf)
    .pipe(
      z
        .array(
          z.enum(ids, {
            error: (issue) => `"${String(issue.input)}" is not one of: ${ids.join(', ')}`,
          }),
        )
        .refine((list) => new Set(list).size === list.length, 'names the same id twice'),
    );
}

function partsOf(text: string): string[] {
  return text.split(',').flatMap((part) => (part.trim() ? [part.trim()] : []));
}
