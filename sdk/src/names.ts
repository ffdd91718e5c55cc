// Names in two styles: programs may write camelCase or the snake_case of the API, and the names of
// vendors or the ids of providers. The gateway receives the names of the API.
import { idOfVendor, toProviderId } from '@trivium/contract/provider-names';
import type { VendorNames } from '@trivium/contract';
import { ConfigurationError } from './errors.ts';

type Camel<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

type Snake<Name> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Name;

type Named<Id> = Id | (Id extends keyof VendorNames ? VendorNames[Id] : never);

type NamedPanel<Panel> = Panel extends { providers?: (infer Id)[] | undefined }
  ? EitherName<Omit<Panel, 'providers'> & { providers?: Named<Id>[] | undefined }>
  : Panel;

type NamedOptions<Options> = {
  [Id in keyof Options as Named<Id>]: Id extends 'fusion' ? NamedPanel<Options[Id]> : Options[Id];
};

/** A request that may name vendors instead of ids. */
type WithVendors<T> = T extends { provider?: infer Id; provider_options?: infer Options }
  ? Omit<T, 'provider' | 'provider_options'> & {
      /** An id such as engine_c, or a vendor's name such as tavily. */
      provider?: Named<Id>;
      /** Native options, by the ids or the names of the providers. */
      provider_options?: NamedOptions<Options> | undefined;
    }
  : T;

/** A request as a program may write it: names of the wire or camelCase, ids or vendors. */
export type RequestOf<T> = EitherName<WithVendors<T>>;

/** The same fields in camelCase at every level, except inside `provider_options`. */
type CamelFields<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? {
        [Key in keyof T as Camel<Key>]: Key extends 'provider_options'
          ? T[Key]
          : CamelFields<T[Key]>;
      }
    : T;

/** A request or a filter: named as on the wire, or in camelCase. */
export type EitherName<T> = T | CamelFields<T>;

/** Options of this package: named in camelCase, or in snake_case like the fields of the API. */
export type EitherOption<T> = T | { [Key in keyof T as Snake<Key>]: T[Key] };

/** Options with their camelCase names. */
export function optionsOf<T extends object>(given: EitherOption<T> | undefined): T {
  return renamed(given ?? {}, camelCase) as T;
}

/** Filters with the names of the wire. */
export function filtersOf(given: object): Filters {
  return renamed(given, snakeCase) as Filters;
}

export type Filters = Readonly<Record<string, string | number | undefined>>;

/** A request in the format of the API. The contents of native options are unchanged. */
export function wireRequest(given: object): object {
  // The gateway reports what is wrong with anything else.
  if (!isPlain(given)) return given;
  const fields = wireFields(given) as Record<string, unknown>;
  const { provider, provider_options: native } = fields;
  return {
    ...fields,
    ...(provider === undefined ? {} : { provider: toProviderId(provider) }),
    ...(native === undefined ? {} : { provider_options: wireOptions(native) }),
  };
}

function wireFields(value: unknown): unknown {
  if (!isPlain(value)) return value;
  const fields = Object.entries(renamed(value, snakeCase)).map(([name, field]) => {
    if (name === 'providers' && Array.isArray(field)) return [name, field.map(toProviderId)];
    return [name, name === 'provider_options' ? field : wireFields(field)];
  });
  return Object.fromEntries(fields) as object;
}

/** Native options by provider id; the panel of a fusion also lists providers. */
function wireOptions(value: unknown): unknown {
  if (!isPlain(value)) return value;
  const named = renamed(value, (name) => idOfVendor(name) ?? name);
  const { fusion } = named;
  return fusion === undefined ? named : { ...named, fusion: wireFields(fusion) };
}

/** Refuses two spellings of one field, because the caller meant only one of the values. */
function renamed(
  given: object,
  rename: (name: string) => string,
): Readonly<Record<string, unknown>> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    const to = rename(name);
    if (fields.has(to)) throw new ConfigurationError(`${to} appears twice, in two spellings.`);
    fields.set(to, value);
  }
  return Object.fromEntries(fields);
}

function camelCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
