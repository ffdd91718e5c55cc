// What the schemas of vendors' answers have in common, and a check that returns an answer unchanged.
import { z } from 'zod';

/** A field that a vendor does not know is absent or null. */
export const maybe = {
  text: z.string().nullish(),
  texts: z.array(z.string()).nullish(),
  number: z.number().nullish(),
  object: <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).nullish(),
  list: <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.object(shape)).nullish(),
};

/** The list in which many vendors name the fields of a request that they refuse (FastAPI). */
export const FieldFaults = z.array(
  z.object({ loc: z.array(z.unknown()).nullish(), msg: z.string() }),
);

export function fieldFaults(faults: z.infer<typeof FieldFaults>): string {
  return faults.map(({ loc, msg }) => faultAt(loc ?? [], msg)).join('; ');
}

/**
 * `count: must be at most 100`. The first step is dropped, because it only says that the field is
 * in the body.
 */
export function faultAt(place: readonly unknown[], sentence: string): string {
  const field = place.filter((step) => step !== 'body' && step !== '').join('.');
  return field === '' ? sentence : `${field}: ${sentence}`;
}

/**
 * Walks the schema once, here. Later, zod runs only to report what is wrong: it copies every object
 * that it reads, which takes longer for a search than all the rest of its reading.
 */
export function asGiven<S extends z.ZodType>(schema: S) {
  const fits = fitOf(schema);
  return {
    /** The body itself. Throws zod's error if it does not match the schema. */
    parse: (body: unknown) => (fits(body) ? (body as z.infer<S>) : schema.parse(body)),
    /** The body itself, or undefined if it does not match the schema. */
    find: (body: unknown) => (fits(body) ? (body as z.infer<S>) : undefined),
  };
}

type Fit = (value: unknown) => boolean;

/** Only schemas that leave a value unchanged are allowed, so no defaults and no transforms. */
function fitOf(schema: z.core.$ZodType): Fit {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('coerce' in def && def.coerce) throw new Error(`a coerced ${def.type} is not read as given`);
  if (def.checks?.length) return fitOfChecked(schema, def.type);
  if (def.type === 'object') return fitOfObject(def);
  if (def.type === 'array') {
    const fits = fitOf(def.element);
    return (value) => Array.isArray(value) && value.every(fits);
  }
  if (def.type === 'literal') return (value) => (def.values as unknown[]).includes(value);
  if (def.type === 'optional' || def.type === 'nullable') {
    const absent = def.type === 'nullable' ? null : undefined;
    const fits = fitOf(def.innerType);
    return (value) => value === absent || fits(value);
  }
  const fits = plainFits[def.type];
  if (fits) return fits;
  throw new Error(`a schema of the type ${def.type} may change what it reads: use zod alone`);
}

const plainFits: Readonly<Partial<Record<string, Fit>>> = {
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  unknown: () => true,
};

/** Bounds on numbers are rare enough to be left to zod. */
function fitOfChecked(schema: z.core.$ZodType, type: string): Fit {
  if (type !== 'number') throw new Error(`checks on the type ${type} are not read as given`);
  return (value) => typeof value === 'number' && (schema as z.ZodNumber).safeParse(value).success;
}

function fitOfObject({ shape, catchall }: z.core.$ZodObjectDef): Fit {
  if (catchall && catchall._zod.def.type !== 'unknown') {
    throw new Error('an object that is strict about other fields is not read as given');
  }
  const fields = Object.entries(shape).map(([name, field]) => ({ name, fits: fitOf(field) }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (const { name, fits } of fields) {
      if (!fits((value as Record<string, unknown>)[name])) return false;
    }
    return true;
  };
}
