// Options in a provider's own words: any JSON object, but no keys that could poison a merge.
import { z } from 'zod';
import { addFault, addUnlisted, maxListedFaults, type FaultSink } from './faults.ts';

export const max_native_options_depth = 32;
export const forbidden_option_keys: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/**
 * A custom schema rather than z.record: a record drops an own `__proto__` key without a word,
 * and the caller should learn that it was refused.
 */
export const NativeOptions = z
  .custom<Record<string, unknown>>(() => true)
  .superRefine((value: unknown, context) => {
    if (isPlainObject(value)) refuseUnsafeKeys(value, context);
    else addFault(context, [], 'invalid_type', 'Must be an object of options for this provider.');
  })
  .meta({
    type: 'object',
    additionalProperties: true,
    description: "Options in the provider's own words, merged into the request it is sent.",
  });
export type NativeOptions = z.infer<typeof NativeOptions>;

/** One optional key for each provider, as `provider_options` has them. */
export function nativeOptionsFor<Id extends string>(
  ids: readonly Id[],
): Record<Id, z.ZodOptional<typeof NativeOptions>> {
  const entries = ids.map((id) => [id, NativeOptions.optional()] as const);
  return Object.fromEntries(entries) as Record<Id, z.ZodOptional<typeof NativeOptions>>;
}

/** Where an object or list stands; the way to it is put together only for a fault. */
interface Place {
  value: object;
  key?: string | number;
  inside?: Place;
  depth: number;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Walks with a list of its own, not by recursion: hostile depth must not exhaust the stack. */
function refuseUnsafeKeys(root: object, context: FaultSink): void {
  const waiting: Place[] = [{ value: root, depth: 0 }];
  let faults = 0;
  const report = (place: Place, code: string, message: string) => {
    faults += 1;
    if (faults <= maxListedFaults) addFault(context, wayTo(place), code, message);
  };
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (place.depth >= max_native_options_depth) {
      const message = `Must not be nested more than ${max_native_options_depth} levels deep.`;
      report(place, 'too_deep', message);
      continue;
    }
    const inList = Array.isArray(place.value);
    for (const name of Object.keys(place.value)) {
      const child: unknown = (place.value as Record<string, unknown>)[name];
      const key = inList ? Number(name) : name;
      const inner = { key, inside: place, depth: place.depth + 1 };
      if (forbidden_option_keys.includes(name)) {
        report(
          { ...inner, value: place.value },
          'forbidden_key',
          `The key ${name} is not allowed; remove it.`,
        );
      } else if (typeof child === 'object' && child !== null) {
        waiting.push({ ...inner, value: child });
      }
    }
  }
  if (faults > maxListedFaults) addUnlisted(context, faults - maxListedFaults);
}

function wayTo(place: Place): (string | number)[] {
  const way: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.inside) way.push(at.key);
  return way.reverse();
}
