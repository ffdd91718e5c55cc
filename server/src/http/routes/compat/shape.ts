// The definition of a drop-in API: pure functions between another API's bodies and ours. Parameters
// without a counterpart here are named in warnings, so that nothing is dropped silently.
import type { ExtractResponse, SearchEngineId, SearchResponse, Warning } from '@trivium/contract';
import { z } from 'zod';
import { validate } from '../../middleware/body.ts';

/** A body of our API. The endpoint that receives it validates it. */
export type Body = Readonly<Record<string, unknown>>;

/** Where an answer is stored, for APIs whose clients read it in a later request. */
export interface StoredAs {
  id: string;
  /** The idempotency key of the request. */
  key: string;
  /** Where the client reads the answer. */
  url: string;
}

interface Answers {
  /** Includes the vendor's own fields, if they were requested. */
  search: SearchResponse & { vendor?: Body };
  extract: ExtractResponse;
}

interface Definition<Params extends z.ZodObject, Tool extends keyof Answers> {
  api: string;
  paths: readonly string[];
  /** A JSON body, or the fields of a query or a form. */
  takes: 'json' | 'fields';
  params: Params;
  tool: Tool;
  /** The engine whose API this is, and the parameters that only it knows. Absent if there is none. */
  own?: {
    id: SearchEngineId;
    /**
     * Top-level fields of the vendor's body. The gateway sends the pages and the query itself, and
     * passes on only fields that the vendor documents.
     */
    native: readonly string[];
    /**
     * What to send instead if the caller names this vendor, for parameters that both APIs have but
     * only the vendor's own honours here.
     */
    named?(given: z.output<Params>, request: Body): { request: Body; native: Body };
  };
  /** The API key, if the other API sends it as a parameter. */
  keyIn?(given: z.output<Params>): string | null | undefined;
  storedAs?: (request: Request) => StoredAs;
  /** Unset fields are left out, so that our defaults apply. */
  toRequest(reading: Reading<z.output<Params>>): Body;
  toAnswer(given: z.output<Params>, answer: Answers[Tool], stored?: StoredAs): object;
}

export type Shape = Definition<z.ZodObject, keyof Answers>;
export type Answer = Answers[keyof Answers];

export function defineShape<Params extends z.ZodObject, Tool extends keyof Answers>(
  shape: Definition<Params, Tool>,
): Shape {
  return shape;
}

export interface Reading<Given> {
  given: Given;
  /** About parameters that our API lacks, or supports only approximately. */
  warnings: Warning[];
  /** Translates a value. A value that is not in the table is ignored with a warning. */
  pick: <V>(param: string, value: unknown, table: Readonly<Record<string, V>>) => V | undefined;
  ignore: (param: string) => void;
  approximate: (param: string, how: string) => void;
}

export function translate({ api, params, toRequest }: Shape, body: unknown) {
  const warnings: Warning[] = [];
  const ignore = (param: string, message?: string) => {
    warnings.push(ignoredParam(api, param, message));
  };
  const given = validate(params, body);
  for (const param of unknownIn(params, body, '')) ignore(param);
  const request = toRequest({
    given,
    warnings,
    ignore: (param) => ignore(param),
    approximate: (param, message) => {
      warnings.push({ code: 'param_approximated', param, message });
    },
    pick: (param, value, table) => {
      if (typeof value !== 'string' || value === '') return undefined;
      if (Object.hasOwn(table, value)) return table[value];
      const shown = JSON.stringify(value);
      ignore(param, `${api} may support ${shown}, but it has no counterpart here.`);
      return undefined;
    },
  });
  return { given, request: present(request), warnings };
}

export function ignoredParam(api: string, param: string, message?: string): Warning {
  const usual = `This parameter of ${api} has no counterpart here, so it was ignored.`;
  return { code: 'param_ignored', param, message: message ?? usual };
}

/** Parameters that are set but not in the schema, at any depth. */
function unknownIn(schema: z.core.$ZodType, value: unknown, path: string): string[] {
  const fields = schemaFields(schema);
  if (fields === undefined || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (isUnset(inner)) return [];
    const place = path === '' ? name : `${path}.${name}`;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field === undefined ? [place] : unknownIn(field, inner, place);
  });
}

function schemaFields(schema: z.core.$ZodType): z.core.$ZodShape | undefined {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return schemaFields(schema.unwrap());
  }
  if (!(schema instanceof z.ZodUnion)) return undefined;
  return schema.options.map(schemaFields).find((fields) => fields !== undefined);
}

/** Values that clients send to leave a feature off. */
function isUnset(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === false || value === '' || value === 0;
}

/** Removes unset fields. */
export function present(fields: Body): Body {
  const given = ([, value]: [string, unknown]) =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(given));
}

/** The same for a nested object. Undefined if none of its fields is set. */
export function group(fields: Body): Body | undefined {
  const given = present(fields);
  return Object.keys(given).length === 0 ? undefined : given;
}

/** A field that is absent, null or of the expected type. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}

export const windows = { day: 'day', week: 'week', month: 'month', year: 'year' };

export const text = maybe(z.string());
export const number = maybe(z.number());
export const flag = maybe(z.boolean());
export const texts = maybe(z.array(z.string()));
/** Some APIs take a flag or an object where ours takes a flag. */
export const Switch = maybe(z.union([z.boolean(), z.string(), z.looseObject({})]));

export function isOn(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 'none';
}

/** The date of an ISO timestamp. */
export function dayOf(time: string | null | undefined): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(time ?? '')?.[0];
}

/** A date whose parts are in another order. */
export function dayFrom(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const Fields = z.record(z.string(), z.unknown());

/** The vendor's object without some of its fields. Empty if another engine served the request. */
export function rawFields(raw: unknown, served: boolean, without: readonly string[] = []): Body {
  const fields = served ? (Fields.safeParse(raw).data ?? {}) : {};
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !without.includes(name)));
}

/** The named fields that are there. */
export function pickFields(fields: Body | undefined, names: readonly string[]): Body {
  const given = names.filter((name) => fields !== undefined && Object.hasOwn(fields, name));
  return Object.fromEntries(given.map((name) => [name, fields?.[name]]));
}
