// If a drop-in API is served by its own vendor, parameters and fields that only this vendor knows
// are passed through in both directions.
import type { Warning } from '@trivium/contract';
import { z } from 'zod';
import type { Body, Shape } from './shape.ts';

const Fields = z.record(z.string(), z.unknown());

/** Parameters that our API lacks but the vendor knows. */
export function nativeOptions({ own }: Shape, asked: unknown, warnings: readonly Warning[]): Body {
  const fields = Fields.safeParse(asked).data ?? {};
  const unmatched = new Set(warnings.map(topOf));
  const names = (own?.native ?? []).filter((name) => unmatched.has(name));
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** The warnings that remain if these options are passed to the vendor. */
export function remainingWarnings(warnings: readonly Warning[], native: Body): Warning[] {
  return warnings.filter((warning) => !Object.hasOwn(native, topOf(warning)));
}

function topOf({ param = '' }: Warning): string {
  return param.split('.')[0] ?? '';
}

/** The vendor's object without some of its fields. Empty if another engine served the request. */
export function rawFields(raw: unknown, served: boolean, without: readonly string[] = []): Body {
  const fields = served ? (Fields.safeParse(raw).data ?? {}) : {};
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !without.includes(name)));
}

/** The named fields, if the vendor returned them. */
export function pickFields(fields: Body | undefined, names: readonly string[]): Body {
  const given = names.filter((name) => fields !== undefined && Object.hasOwn(fields, name));
  return Object.fromEntries(given.map((name) => [name, fields?.[name]]));
}
