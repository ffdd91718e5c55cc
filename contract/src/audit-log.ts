// The audit log: who changed what, and when.
import { z } from 'zod';
import { AccountId, ListEnd, PageQuery, Span } from './admin.ts';
import { storable, Timestamp } from './common.ts';

/** Every action that the log may contain. */
export const auditActions = [
  'account.created',
  'account.changed',
  'key.created',
  'key.changed',
  'key.revoked',
  'key.rotated',
  'key.overlap_ended',
  'balance.topped_up',
  'balance.adjusted',
  'balance.refunded',
  'budget.changed',
  'view.created',
  'view.changed',
  'view.removed',
  'note.created',
  'note.changed',
  'note.removed',
  'invite.created',
  'invite.withdrawn',
  'person.joined',
  'person.changed',
  'person.removed',
  'person.linked',
  'person.signed_in',
  'person.signed_out',
  'person.password_changed',
  'person.reset_link_created',
  'webhook.created',
  'webhook.changed',
  'webhook.rotated',
  'webhook.tested',
  'webhook.redelivered',
  'webhook.removed',
  'incident.changed',
  'operator_token.created',
  'cache.cleared',
  'settings.changed',
  'store.moved',
  'store.restored',
] as const;
export type AuditAction = (typeof auditActions)[number];

const actorKinds = ['operator_token', 'person', 'command_line', 'bootstrap'] as const;

export const AuditActor = z
  .object({
    kind: z
      .enum(actorKinds)
      .describe(
        'The operator token, a signed-in person, the command line, or the start of a gateway.',
      ),
    id: z.string().nullable().describe('The id of the person; null for all others.'),
    name: z.string().nullable().describe('The address of the person at that time.'),
  })
  .describe('Who made a change.');
export type AuditActor = z.infer<typeof AuditActor>;

const Fields = z.record(z.string(), z.unknown()).nullable();

export const AuditEntry = z
  .object({
    id: z.string().describe('The id of the entry.'),
    created_at: Timestamp.describe('When the change was made.'),
    actor: AuditActor,
    address: z.string().nullable().describe('The IP address of the caller, if there was one.'),
    account_id: z.string().nullable().describe('Null for changes of the whole gateway.'),
    action: z.enum(auditActions).describe('What was done.'),
    target: z.string().describe('The id of what was changed.'),
    before: Fields.describe('The changed fields as they were; null for something new.'),
    after: Fields.describe('The changed fields as they are; null for something removed.'),
  })
  .describe('A change in the audit log; it never contains secrets.');
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditList = z
  .object({ entries: z.array(AuditEntry).describe('Newest first.'), ...ListEnd.shape })
  .describe('A page of the audit log.');
export type AuditList = z.infer<typeof AuditList>;

const Id = storable(z.string().min(1).max(200));

export const AuditQuery = z.strictObject({
  account_id: AccountId.optional(),
  action: z.enum(auditActions).optional().describe('Only changes of this kind.'),
  actor: z.enum(actorKinds).optional().describe('Only changes by actors of this kind.'),
  person_id: Id.optional().describe('Only changes by this person.'),
  target: Id.optional().describe('Only changes to this key, person or other object.'),
  ...Span,
  ...PageQuery.shape,
});
export type AuditQuery = z.infer<typeof AuditQuery>;
