// The definition of a drop-in API: pure functions between another API's bodies and ours.
import type { ExtractResponse, SearchEngineId, SearchResponse, Warning } from '@trivium/contract';
import { z } from 'zod';

/** A body of our API. The endpoint that receives it validates it. */
export type Body = Readonly<Record<string, unknown>>;

export interface Translated {
  request: Body;
  /** About parameters that our API lacks, or supports only approximately. */
  warnings: readonly Warning[];
}

/** The engine whose API this is, and the parameters that only it knows. */
interface OwnVendor {
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
  named?: (asked: unknown, request: Body) => { request: Body; native: Body };
}

/** Where an answer is stored, for APIs whose clients read it in a later request. */
export interface StoredAs {
  id: string;
  /** The idempotency key of the request. */
  key: string;
  /** Where the client reads the answer. */
  url: string;
}

interface ShapeBase {
  paths: readonly string[];
  /** A JSON body, or the fields of a query or a form. */
  takes: 'json' | 'fields';
  toRequest: (asked: unknown) => Translated;
  /** Absent if no engine has this API. */
  own?: OwnVendor;
  /** The API key, if the other API sends it as a parameter. */
  keyIn?: (asked: unknown) => string | undefined;
  storedAs?: (request: Request) => StoredAs;
}

type ToAnswer<T> = (asked: unknown, answer: T, stored?: StoredAs) => object;

/** Includes the vendor's own fields, if they were requested. */
export type SearchAnswer = SearchResponse & { vendor?: Body };

export type Shape =
  | (ShapeBase & { tool: 'search'; toAnswer: ToAnswer<SearchAnswer> })
  | (ShapeBase & { tool: 'extract'; toAnswer: ToAnswer<ExtractResponse> });

/** Removes unset fields, so that our defaults apply. */
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

/** Some APIs take a flag or an object where ours takes a flag. */
export const Switch = z.union([z.boolean(), z.string(), z.looseObject({})]).nullish();

export function isOn(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 'none';
}

/** The date of an ISO timestamp. */
export function dayOf(time: string | null | undefined): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(time ?? '')?.[0];
}
