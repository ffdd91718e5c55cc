// trivium audit-log: who changed what, newest first (operator).
import { AuditActor, auditActions } from '@trivium/contract';
import type { AuditEntry } from '@trivium/contract';
import type { AuditFilters } from '@trivium/sdk';
import { printJson } from '../command.ts';
import type { Command } from '../command.ts';
import { dayOptions, limitOption, readLimited } from '../limited-list.ts';
import { choiceOption, fieldsOf, textOption } from '../options.ts';
import { formatTable } from '../table.ts';

const filters = {
  account: textOption('id', 'only changes of this account', { field: 'account_id' }),
  action: choiceOption('only changes of this kind', auditActions),
  actor: choiceOption('only changes by actors of this kind', AuditActor.shape.kind.options),
  person: textOption('id', 'only changes by this person', { field: 'person_id' }),
  target: textOption('id', 'only changes to this key, person or other object'),
  ...dayOptions,
};

export const auditLog: Command = {
  name: 'audit-log',
  group: 'Operators',
  summary: 'List changes and who made them',
  usage: '',
  examples: ['audit-log --action key.created --limit 5'],
  working: 'Asking the gateway',
  options: { ...filters, ...limitOption },
  run: async (given, context) => {
    const { signal } = context;
    const asked = fieldsOf(given, filters) as AuditFilters;
    const entries = await readLimited(given, (limit) =>
      context.admin().audit.list({ ...asked, limit }, { signal }),
    );
    if (context.json) return printJson(context, { entries });
    if (entries.length === 0) return context.out('There are no entries.\n');
    const heads = ['time', 'actor', 'action', 'target', 'changes'];
    context.out(formatTable(heads, entries.map(cells), context));
  },
};

function cells({ created_at, actor, action, target, before, after }: AuditEntry): string[] {
  return [created_at, actor.name ?? actor.kind, action, target, changesOf(before, after)];
}

function changesOf(before: AuditEntry['before'], after: AuditEntry['after']): string {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const shown = (fields: AuditEntry['after'], name: string) =>
    fields !== null && Object.hasOwn(fields, name) ? JSON.stringify(fields[name]) : '';
  return [...names]
    .map((name) => {
      const [old, now] = [shown(before, name), shown(after, name)];
      return `${name}: ${old === '' ? now : `${old} → ${now}`}`;
    })
    .join(', ');
}
