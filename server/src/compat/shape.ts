// What a drop-in address is: pure functions between another API's bodies and ours.
import type { ExtractResponse, SearchResponse, Warning } from '@trivium/contract';
import { z } from 'zod';
import type { OwnVendor } from './own-vendor.ts';

/** A body of ours, checked by the endpoint it is handed to. */
export type Body = Readonly<Record<string, unknown>>;

export interface Translated {
  request: Body;
  /** What was asked for and has no words, or only nearly the same ones, in our API. */
  warnings: readonly Warning[];
}

interface Face {
  /** Below /compat. */
  paths: readonly string[];
  /** A JSON body of a POST, or the fields of an address or a form. */
  takes: 'json' | 'fields';
  toRequest: (asked: unknown) => Translated;
  /** Left out where the API is no engine's own. */
  own?: OwnVendor;
  /** The key, where the other API takes it with the parameters. */
  keyIn?: (asked: unknown) => string | undefined;
}

/** With what the vendor said beside its results, where that was asked for. */
export type SearchAnswer = SearchResponse & { vendor?: Body };

export type Shape =
  | (Face & { tool: 'search'; toAnswer: (asked: unknown, answer: SearchAnswer) => object })
  | (Face & { tool: 'extract'; toAnswer: (asked: unknown, answer: ExtractResponse) => object });

/** Without what was not given, so that our own defaults hold. */
export function present(fields: Body): Body {
  const given = ([, value]: [string, unknown]) =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(given));
}

/** The same for a part of a body, which is absent when nothing of it was given. */
export function group(fields: Body): Body | undefined {
  const given = present(fields);
  return Object.keys(given).length === 0 ? undefined : given;
}

/** A field that is absent, null or of the expected kind. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}

/** Some APIs want a flag or an object where ours wants a flag. */
export const Switch = z.union([z.boolean(), z.string(), z.looseObject({})]).nullish();

export function isOn(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 'none';
}

/** The day of an ISO time stamp. */
export function dayOf(time: string | null | undefined): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(time ?? '')?.[0];
}
