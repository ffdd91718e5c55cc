// Reads the parameters of another API and warns about those without a counterpart here, so that
// nothing is dropped silently.
import type { Warning } from '@trivium/contract';
import { z } from 'zod';

export interface ReadParameters<T> {
  given: T;
  warnings: Warning[];
  /** Translates a value. A value that is not in the table is ignored with a warning. */
  pick: <V>(param: string, value: unknown, table: Readonly<Record<string, V>>) => V | undefined;
  ignore: (param: string) => void;
  approximate: (param: string, how: string) => void;
}

/** Throws a ZodError for a parameter of the wrong type. */
export function readParameters<T extends z.ZodObject>(
  api: string,
  schema: T,
  body: unknown,
): ReadParameters<z.output<T>> {
  const warnings: Warning[] = [];
  const ignore = (param: string) => {
    const message = `This parameter of ${api} has no counterpart here, so it was ignored.`;
    warnings.push({ code: 'param_ignored', param, message });
  };
  const given = schema.parse(body);
  for (const param of unknownIn(schema, body, '')) ignore(param);
  return {
    given,
    warnings,
    ignore,
    approximate: (param, message) => {
      warnings.push({ code: 'param_approximated', param, message });
    },
    pick: (param, value, table) => {
      if (typeof value !== 'string' || value === '') return undefined;
      if (Object.hasOwn(table, value)) return table[value];
      const message = `${api} may support ${JSON.stringify(value)}, but it has no counterpart here.`;
      warnings.push({ code: 'param_ignored', param, message });
      return undefined;
    },
  };
}

/** Parameters that are set but not in the schema, at any depth. */
function unknownIn(schema: z.core.$ZodType, value: unknown, path: string): string[] {
  const fields = fieldsOf(schema);
  if (fields === undefined || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (isUnset(inner)) return [];
    const place = path === '' ? name : `${path}.${name}`;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field === undefined ? [place] : unknownIn(field, inner, place);
  });
}

function fieldsOf(schema: z.core.$ZodType): z.core.$ZodShape | undefined {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return fieldsOf(schema.unwrap());
  }
  if (!(schema instanceof z.ZodUnion)) return undefined;
  return schema.options.map(fieldsOf).find((fields) => fields !== undefined);
}

/** Values that clients send to leave a feature off. */
function isUnset(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === false || value === '' || value === 0;
}
