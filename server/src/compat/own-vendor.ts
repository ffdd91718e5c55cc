// When the vendor behind a drop-in address serves it itself, it is handed what only it can do, in
// its own words, and what only it can say is answered.
import type { SearchEngineId, Warning } from '@trivium/contract';
import { z } from 'zod';
import type { Body, Shape } from './shape.ts';

/** The engine whose API a shape is, and what it takes beyond our words. */
export interface OwnVendor {
  id: SearchEngineId;
  /**
   * Names at the top of the vendor's body. The pages and the question are ours to send, and a name
   * that the vendor does not document is not passed on.
   */
  native: readonly string[];
}

const Fields = z.record(z.string(), z.unknown());

/** What was asked for, has no words of ours, and is known to the vendor. */
export function nativeOptions({ own }: Shape, asked: unknown, warnings: readonly Warning[]): Body {
  const fields = Fields.safeParse(asked).data ?? {};
  const untold = new Set(warnings.map(topOf));
  const names = (own?.native ?? []).filter((name) => untold.has(name));
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** The warnings that are left when the vendor was handed these options. */
export function unhonoured(warnings: readonly Warning[], native: Body): Warning[] {
  return warnings.filter((warning) => !Object.hasOwn(native, topOf(warning)));
}

function topOf({ param = '' }: Warning): string {
  return param.split('.')[0] ?? '';
}

/** The vendor's object without some of its fields; nothing when another engine served. */
export function rawFields(raw: unknown, served: boolean, without: readonly string[] = []): Body {
  const fields = served ? (Fields.safeParse(raw).data ?? {}) : {};
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !without.includes(name)));
}

/** Some of the vendor's fields, where it gave them. */
export function pickFields(fields: Body | undefined, names: readonly string[]): Body {
  const given = names.filter((name) => fields !== undefined && Object.hasOwn(fields, name));
  return Object.fromEntries(given.map((name) => [name, fields?.[name]]));
}
