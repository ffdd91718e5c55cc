// Native options of a provider: any JSON object without keys that could pollute a prototype.
import { z } from 'zod';
import { addFault, addUnlisted, maxListedFaults, type FaultSink } from './faults.ts';

export const maxNativeOptionsDepth = 32;
const forbiddenOptionKeys: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/**
 * A custom schema rather than z.record, which silently drops an own `__proto__` key. The caller
 * must see that the key was refused.
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
    description: "Options in the provider's own format, merged into the request that it receives.",
  });
export type NativeOptions = z.infer<typeof NativeOptions>;

/** One optional key for each provider, for `provider_options`. */
export function nativeOptionsFor<Id extends string>(
  ids: readonly Id[],
): Record<Id, z.ZodOptional<typeof NativeOptions>> {
  const entries = ids.map((id) => [id, NativeOptions.optional()] as const);
  return Object.fromEntries(entries) as Record<Id, z.ZodOptional<typeof NativeOptions>>;
}

/** An object or list with a link to its parent; its path is built only to report a fault. */
interface OptionNode {
  value: object;
  key?: string | number;
  parent?: OptionNode;
  depth: number;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Walks with an explicit stack: hostile nesting must not exhaust the call stack. */
function refuseUnsafeKeys(root: object, context: FaultSink): void {
  const stack: OptionNode[] = [{ value: root, depth: 0 }];
  let faults = 0;
  const report = (node: OptionNode, code: string, message: string) => {
    faults += 1;
    if (faults <= maxListedFaults) addFault(context, pathTo(node), code, message);
  };
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.depth >= maxNativeOptionsDepth) {
      const message = `Must not be nested more than ${maxNativeOptionsDepth} levels deep.`;
      report(node, 'too_deep', message);
      continue;
    }
    const inList = Array.isArray(node.value);
    for (const name of Object.keys(node.value)) {
      const child: unknown = (node.value as Record<string, unknown>)[name];
      const key = inList ? Number(name) : name;
      const inner = { key, parent: node, depth: node.depth + 1 };
      if (forbiddenOptionKeys.includes(name)) {
        report(
          { ...inner, value: node.value },
          'forbidden_key',
          `The key ${name} is not allowed; remove it.`,
        );
      } else if (typeof child === 'object' && child !== null) {
        stack.push({ ...inner, value: child });
      }
    }
  }
  if (faults > maxListedFaults) addUnlisted(context, faults - maxListedFaults);
}

function pathTo(node: OptionNode): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: OptionNode | undefined = node; at?.key !== undefined; at = at.parent) {
    path.push(at.key);
  }
  return path.reverse();
}
