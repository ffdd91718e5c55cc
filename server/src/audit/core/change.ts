// A change as the audit log records it: only the fields that differ, and never secrets.
import type { AuditAction, AuditActor } from '@trivium/contract';

/** Who makes a change, and from where. */
export interface Author extends AuditActor {
  /** The IP address of the caller. Null if no caller is involved. */
  address: string | null;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface AuditedChange {
  action: AuditAction;
  /** Null for a change to the whole gateway. */
  account_id: string | null;
  /** The id of the changed object. */
  target: string;
  /** Absent for a new object. */
  before?: Fields;
  /** Absent for a removed object. */
  after?: Fields;
}

/** The gateway itself, when it starts. */
export const bootstrap: Author = { kind: 'bootstrap', id: null, name: null, address: null };

/** A command that opens the store directly, without a gateway. */
export const commandLine: Author = { kind: 'command_line', id: null, name: null, address: null };

export interface Difference {
  before: Fields | null;
  after: Fields | null;
}

/** Undefined if no field differs. */
export function differenceOf({ before, after }: AuditedChange): Difference | undefined {
  if (!before || !after) {
    return {
      before: before ? withoutSecrets(before) : null,
      after: after ? withoutSecrets(after) : null,
    };
  }
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return undefined;
  return { before: pick(withoutSecrets(before), names), after: pick(withoutSecrets(after), names) };
}

/** Names of values that must never be written, whatever a caller passes in. */
const secretName = /^(?:key|hash|.*(?:secret|token|password|credential)s?)$/i;
const secretValue = /\b(?:sk_live_|sk_test_|whsec_|op_|mc[pcr]_)[A-Za-z0-9+/=_-]{20,}/;

function withoutSecrets(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isSecret(name, value) ? '[secret]' : value,
    ]),
  );
}

function isSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return false;
  return secretName.test(name) || secretValue.test(JSON.stringify(value));
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
}
