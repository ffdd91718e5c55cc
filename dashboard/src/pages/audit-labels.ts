// The entries of the audit log in words.
import type { AuditActor, AuditEntry } from '@trivium/contract';

export const groups: Readonly<Record<AuditActor['kind'], string>> = {
  person: 'A person',
  operator_token: 'The operator token',
  command_line: 'The command line',
  bootstrap: 'The start of the gateway',
};

export const actionLabels: Readonly<Record<string, string>> = {
  'account.created': 'Account created',
  'account.changed': 'Account changed',
  'key.created': 'Key created',
  'key.changed': 'Key changed',
  'key.rotated': 'Key rotated',
  'key.overlap_ended': 'Overlap of a key ended',
  'key.revoked': 'Key revoked',
  'balance.topped_up': 'Balance topped up',
  'balance.adjusted': 'Balance adjusted',
  'balance.refunded': 'Request refunded',
  'budget.changed': 'Budget changed',
  'invite.created': 'Invitation created',
  'invite.withdrawn': 'Invitation withdrawn',
  'person.joined': 'Person joined',
  'person.changed': 'Person changed',
  'person.removed': 'Person removed',
  'person.linked': 'Single sign-on linked',
  'person.signed_in': 'Signed in',
  'person.signed_out': 'Signed out',
  'person.password_changed': 'Password changed',
  'person.reset_link_created': 'Link for a new password created',
  'webhook.created': 'Webhook created',
  'webhook.changed': 'Webhook changed',
  'webhook.rotated': 'Webhook secret rotated',
  'webhook.tested': 'Webhook tested',
  'webhook.redelivered': 'Webhook sent again',
  'webhook.removed': 'Webhook removed',
  'operator_token.created': 'Operator token created',
  'cache.cleared': 'Cache emptied',
  'settings.changed': 'Settings changed',
  'store.moved': 'Store moved',
  'store.restored': 'Store restored',
};

export function actorLabel({ kind, name }: AuditActor): string {
  return name ?? groups[kind];
}

const maxChanges = 8;
const maxValueChars = 80;

/** Each changed field with its values before and after. */
export function changeLabels({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const words = names.flatMap((name) => {
    const [old, now] = [before?.[name], after?.[name]];
    if (before === null) return isNothing(now) ? [] : [`${name}: ${valueOf(now)}`];
    if (after === null) return isNothing(old) ? [] : [`${name}: ${valueOf(old)}`];
    return [`${name}: ${valueOf(old)} → ${valueOf(now)}`];
  });
  const more = words.length - maxChanges;
  return more > 0 ? [...words.slice(0, maxChanges), `and ${more} more`] : words;
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function valueOf(value: unknown): string {
  if (isNothing(value)) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxValueChars ? `${text.slice(0, maxValueChars)}…` : text;
}
