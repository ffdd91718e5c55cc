// Labels for the entries of the audit log.
import type { AuditActor, AuditEntry } from '@trivium/contract';
import { exactUsd, when } from '../format.ts';

export const groups: Readonly<Record<AuditActor['kind'], string>> = {
  person: 'Person',
  operator_token: 'Operator token',
  command_line: 'Command line',
  bootstrap: 'Gateway start',
};

export const actionLabels: Readonly<Record<string, string>> = {
  'account.created': 'Account created',
  'account.changed': 'Account changed',
  'key.created': 'Key created',
  'key.changed': 'Key changed',
  'key.rotated': 'Key rotated',
  'key.overlap_ended': 'Key overlap ended',
  'key.revoked': 'Key revoked',
  'balance.topped_up': 'Balance topped up',
  'balance.adjusted': 'Balance adjusted',
  'balance.refunded': 'Request refunded',
  'budget.changed': 'Budget changed',
  'view.created': 'View saved',
  'view.changed': 'View changed',
  'view.removed': 'View deleted',
  'note.created': 'Note written',
  'note.changed': 'Note changed',
  'note.removed': 'Note deleted',
  'invite.created': 'Invitation created',
  'invite.withdrawn': 'Invitation withdrawn',
  'person.joined': 'Person joined',
  'person.changed': 'Person changed',
  'person.removed': 'Person removed',
  'person.linked': 'Single sign-on linked',
  'person.signed_in': 'Signed in',
  'person.signed_out': 'Signed out',
  'person.password_changed': 'Password changed',
  'person.reset_link_created': 'Password reset link created',
  'webhook.created': 'Webhook created',
  'webhook.changed': 'Webhook changed',
  'webhook.rotated': 'Webhook secret rotated',
  'webhook.tested': 'Webhook tested',
  'webhook.redelivered': 'Webhook sent again',
  'webhook.removed': 'Webhook removed',
  'incident.changed': 'Incident muted or noted',
  'operator_token.created': 'Operator token created',
  'cache.cleared': 'Cache cleared',
  'settings.changed': 'Settings changed',
  'store.moved': 'Store moved',
  'store.restored': 'Store restored',
};

export function actorLabel({ kind, id, name }: AuditActor, names: Names = new Map()): string {
  const known = id === null ? undefined : names.get(id);
  return known ?? name ?? groups[kind];
}

const maxChanges = 8;
const maxValueChars = 80;

/** The names of accounts, keys, people and endpoints, by id. */
export type Names = ReadonlyMap<string, string>;

/** The name of what was changed if it is known, also from the entry itself; otherwise its id. */
export function targetLabel(
  { target, before, after }: Pick<AuditEntry, 'target' | 'before' | 'after'>,
  names: Names,
): string {
  const own = after?.['name'] ?? before?.['name'] ?? after?.['url'] ?? before?.['url'];
  return names.get(target) ?? (typeof own === 'string' && own !== '' ? own : target);
}

/** Each changed field with its values before and after. */
export function changeLabels(
  { before, after }: Pick<AuditEntry, 'before' | 'after'>,
  names: Names = new Map(),
): string[] {
  const all = [...Object.keys(before ?? {}), ...Object.keys(after ?? {})];
  // The id is already shown as the target.
  const fields = [...new Set(all)].filter((name) => name !== 'id');
  const words = fields.flatMap((name) => {
    const [old, now] = [before?.[name], after?.[name]];
    const [was, is] = [valueOf(name, old, names), valueOf(name, now, names)];
    if (before === null) return isNothing(now) ? [] : [`${fieldLabel(name)}: ${is}`];
    if (after === null) return isNothing(old) ? [] : [`${fieldLabel(name)}: ${was}`];
    return [`${fieldLabel(name)}: ${was} → ${is}`];
  });
  const more = words.length - maxChanges;
  return more > 0 ? [...words.slice(0, maxChanges), `and ${more} more`] : words;
}

/** `daily_cap_usd` is “Daily cap”. */
function fieldLabel(name: string): string {
  const words = name.replace(/_(?:usd|id|at)$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

function valueOf(name: string, value: unknown, names: Names): string {
  if (isNothing(value)) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && name.endsWith('_usd')) return exactUsd(value);
  if (Array.isArray(value)) return cut(value.map(String).join(', ') || 'none');
  if (typeof value !== 'string') return cut(JSON.stringify(value));
  if (timestamp.test(value)) return when(value);
  return cut(names.get(value) ?? value);
}

function cut(text: string): string {
  return text.length > maxValueChars ? `${text.slice(0, maxValueChars)}…` : text;
}
