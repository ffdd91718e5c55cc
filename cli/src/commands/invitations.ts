// trivium invitations: links that give people access to the dashboard (operator).
import type { Invite } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Context } from '../command.ts';
import { listing, noun, showOne } from '../nouns.ts';
import type { Table } from '../nouns.ts';
import { flagOption, textOption } from '../options.ts';

const table: Table<Invite> = {
  heads: ['id', 'role', 'account', 'expires', 'for'],
  cells: ({ id, role, account_id, expires_at, label }) => [
    id,
    role,
    account_id ?? '',
    expires_at ?? 'never',
    label ?? '',
  ],
};

const openInvites = async ({ admin, signal }: Context) =>
  (await admin().people.list({ signal })).invites;

export const invitations = noun({
  name: 'invitations',
  group: 'Operators',
  summary: 'Invite people to the dashboard, list open invitations or delete one',
  options: {
    account: textOption('id', 'invite a member of this account'),
    operator: flagOption('invite an operator'),
  },
  verbs: {
    list: {
      summary: 'list the invitations that have not been used yet',
      usage: '',
      example: 'invitations list',
      run: listing('invitations', table, openInvites),
    },
    create: {
      summary: 'print an invitation link; it is shown only once',
      usage: '<name>',
      example: 'invitations create Ada --account acct_default',
      run: async (label, given, context) => {
        const account = given.text('account');
        if ((account === undefined) !== given.flag('operator')) {
          throw new UsageError('Give --account <id> for a member, or --operator for an operator.');
        }
        const request =
          account === undefined
            ? { role: 'operator' as const, label }
            : { role: 'member' as const, label, account_id: account };
        const made = await context.admin().invitations.create(request);
        const url = `${context.url()}/join#${made.token}`;
        if (context.json) return printJson(context, { ...made, url });
        context.out(`${url}\n`);
        context.note(`Shown only once. The id of the invitation is ${made.id}.\n`);
      },
    },
    delete: {
      summary: 'invalidate its link',
      usage: '<id>',
      example: 'invitations delete inv_0198…',
      run: async (id, _given, context) => {
        const invite = (await openInvites(context)).find((one) => one.id === id);
        await context.admin().invitations.delete(id);
        if (invite) showOne(context, invite, table);
      },
    },
  },
});
