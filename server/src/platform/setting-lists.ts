// Settings that are lists: values with commas between, each checked.
import { z } from 'zod';
import { readProxies } from './addresses.ts';

/** As browsers write them, because they are compared letter for letter. */
export const origins = z
  .string()
  .transform(partsOf)
  .refine((list) => list.every((one) => one === '*' || URL.parse(one)?.origin === one), {
    error: 'must be * or origins such as https://app.example.com, with commas between',
  });

/** Addresses and networks of proxies; none unless set. */
export const proxies = z
  .string()
  .default('')
  .transform((text, context) => {
    const read = readProxies(partsOf(text));
    if (read) return read;
    context.addIssue('must be addresses or networks such as 10.0.0.0/8, with commas between');
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
