// What a drop-in API is: pure functions between another API's bodies and ours.
import type { ExtractResponse, SearchEngineId, SearchResponse, Warning } from '@trivium/contract';
import { z } from 'zod';

/** A body of our API, validated by the endpoint that receives it. */
export type Body = Readonly<Record<string, unknown>>;

export interface Translated {
  request: Body;
  /** Parameters that our API lacks, or has only approximately. */
  warnings: readonly Warning[];
}

/** The engine whose API this is, and the parameters that only it knows. */
interface OwnVendor {
  id: SearchEngineId;
  /**
   * Top-level fields of the vendor's body. The gateway sends the pages and the query itself, and
   * passes on no field that the vendor does not document.
   */
  native: readonly string[];
  /**
   * What is sent instead when the caller names this vendor, for parameters that both APIs have but
   * only the vendor's own honours here.
   */
  named?: (asked: unknown, request: Body) => { request: Body; native: Body };
}

/** Where an answer is stored, for APIs whose clients read it in a later request. */
export interface StoredAs {
  id: string;
  /** The idempotency key of the request. */
  key: string;
  /** Where the client reads it. */
  url: string;
}

interface ShapeBase {
  /** Below /compat. */
  paths: readonly string[];
  /** The same outside /compat, for clients that drop the path of their base URL. */
  rootPaths?: readonly string[];
  /** A JSON body, or the fields of a query or a form. */
  takes: 'json' | 'fields';
  toRequest: (asked: unknown) => Translated;
  /** Absent when no engine has this API. */
  own?: OwnVendor;
  /** The API key, where the other API sends it as a parameter. */
  keyIn?: (asked: unknown) => string | undefined;
  storedAs?: (request: Request) => StoredAs;
}

type ToAnswer<T> = (asked: unknown, answer: T, stored?: StoredAs) => object;

/** With the vendor's own fields, where they were asked for. */
export type SearchAnswer = SearchResponse & { vendor?: Body };

export type Shape =
  | (ShapeBase & { tool: 'search'; toAnswer: ToAnswer<SearchAnswer> })
  | (ShapeBase & { tool: 'extract'; toAnswer: ToAnswer<ExtractResponse> });

/** Without unset fields, so that our defaults apply. */
export function present(fields: Body): Body {
  const given = ([, value]: [string, unknown]) =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(given));
}

/** The same for a nested object, which is undefined when none of its fields is set. */
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
