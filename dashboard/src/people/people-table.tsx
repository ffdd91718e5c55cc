// The people who may sign in and the open invitations, with the actions of an operator.
import { useState } from 'react';
import type { Account, PeopleList, Person, ResetLink } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useAction } from '../api/use-action.ts';
import type { Action } from '../api/use-action.ts';
import { dayOf, when } from '../format.ts';
import { Button, ErrorNote, Tag } from '../components/basics.tsx';
import { Confirm, useDialog } from '../components/dialog.tsx';
import { LongTable } from '../components/long-table.tsx';
import { RowActions, Table } from '../components/table.tsx';
import { useSession } from '../shell/session.tsx';
import { ResetLinkDialog, RoleForm } from './people-forms.tsx';

interface PeopleTableProps {
  list: PeopleList;
  accounts: readonly Account[];
}

type Opened = { what: 'role' | 'remove' | 'reset'; person: Person };

export function PeopleTable({ list, accounts }: PeopleTableProps) {
  const { person: me } = useSession();
  const { open, setOpen, close } = useDialog<Opened>();
  const [link, setLink] = useState<{ made: ResetLink; person: Person }>();
  const named = (id: string | null) =>
    accounts.find((account) => account.id === id)?.name ?? id ?? 'All accounts';
  const remove = useAction((what: 'person' | 'invite', id: string): Promise<unknown> => {
    return what === 'person' ? admin.people.delete(id) : admin.invitations.delete(id);
  }, close);
  const reset = useAction(async (person: Person) => {
    setLink({ made: await admin.people.resetPassword(person.id), person });
    setOpen(undefined);
  });
  const show = (what: Opened['what'], person: Person) => {
    remove.clear();
    reset.clear();
    setOpen({ what, person });
  };
  return (
    <>
      <LongTable
        label="People"
        rows={list.people}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Name',
            line: 1,
            wrap: true,
            show: ({ id, name }) => (id === me.id ? `${name} (you)` : name),
          },
          { title: 'Email', line: 2, show: ({ email }) => email, wrap: true },
          { title: 'Role', line: 1, show: ({ role }) => <RoleTag role={role} /> },
          { title: 'Account', line: 2, show: ({ account_id }) => named(account_id), wrap: true },
          { title: 'Since', show: ({ created_at }) => dayOf(created_at) },
          {
            title: 'Actions',
            line: 1,
            show: (person) => <Actions of={person} isMe={person.id === me.id} onShow={show} />,
          },
        ]}
      />
      <InviteTable
        list={list}
        named={named}
        busy={remove.busy}
        onWithdraw={(id) => remove.run('invite', id)}
      />
      <ErrorNote error={open ? undefined : remove.error} />
      {open?.what === 'role' ? (
        <RoleForm person={open.person} accounts={accounts} onClose={close} />
      ) : null}
      {open?.what === 'remove' ? (
        <RemovePerson
          person={open.person}
          action={{ ...remove, run: () => remove.run('person', open.person.id) }}
          onClose={close}
        />
      ) : null}
      {open?.what === 'reset' ? (
        <ResetPassword
          person={open.person}
          action={{ ...reset, run: () => reset.run(open.person) }}
          onClose={close}
        />
      ) : null}
      {link === undefined ? null : <ResetLinkDialog {...link} onClose={() => setLink(undefined)} />}
    </>
  );
}

interface ConfirmProps {
  person: Person;
  action: Action<[]>;
  onClose: () => void;
}

function RemovePerson({ person, ...confirm }: ConfirmProps) {
  return (
    <Confirm title={`Remove ${person.name}?`} submit="Remove" {...confirm}>
      <p>{person.email} will be signed out everywhere and needs a new invitation to return.</p>
    </Confirm>
  );
}

function ResetPassword({ person, ...confirm }: ConfirmProps) {
  return (
    <Confirm title={`Reset the password of ${person.name}?`} submit="Create a link" {...confirm}>
      <p>
        You get a link to pass on. {person.email} uses it to choose a new password and is then
        signed out everywhere else. The current password works until then.
      </p>
    </Confirm>
  );
}

interface ActionsProps {
  of: Person;
  isMe: boolean;
  onShow: (what: Opened['what'], person: Person) => void;
}

function Actions({ of: person, isMe, onShow }: ActionsProps) {
  const labels: Readonly<Record<string, string>> = {
    Role: 'Change the role of',
    'Reset password': 'Reset the password of',
  };
  return (
    <RowActions
      of={person.name}
      label={(text) => `${labels[text] ?? text} ${person.name}`}
      actions={[
        ['Role', () => onShow('role', person)],
        !isMe && ['Reset password', () => onShow('reset', person)],
        !isMe && ['Remove', () => onShow('remove', person), 'danger'],
      ]}
    />
  );
}

interface InviteTableProps {
  list: PeopleList;
  named: (accountId: string | null) => string;
  busy: boolean;
  onWithdraw: (id: string) => void;
}

function InviteTable({ list, named, busy, onWithdraw }: InviteTableProps) {
  if (list.invites.length === 0) return null;
  return (
    <Table
      label="Open invitations"
      rows={list.invites}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Invitation', line: 1, wrap: true, show: ({ label }) => label ?? 'No label' },
        { title: 'Role', line: 1, show: ({ role }) => <RoleTag role={role} /> },
        { title: 'Account', line: 2, show: ({ account_id }) => named(account_id), wrap: true },
        {
          title: 'Works until',
          line: 2,
          show: ({ expires_at }) => (expires_at === null ? '' : when(expires_at)),
        },
        {
          title: 'Actions',
          line: 1,
          show: ({ id, label }) => (
            <Button
              kind="plain"
              disabled={busy}
              label={`Withdraw ${label ?? 'the invitation'}`}
              onPress={() => onWithdraw(id)}
            >
              Withdraw
            </Button>
          ),
        },
      ]}
    />
  );
}

function RoleTag({ role }: { role: string }) {
  return <Tag tone={role === 'operator' ? 'accent' : 'quiet'}>{role}</Tag>;
}
