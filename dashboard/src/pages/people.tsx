// The operator's page for people, invitations and accounts.
import { useState } from 'react';
import type { Account, AccountList, NewInvite, PeopleList, Person } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import type { Loaded } from '../api/use-load.ts';
import { dayOf, when } from '../format.ts';
import { Await, Button, ErrorNote, Page, Tag } from '../components/basics.tsx';
import { Confirm } from '../components/dialog.tsx';
import { Money } from '../components/money.tsx';
import { Table } from '../components/table.tsx';
import { useSession } from '../shell/session.tsx';
import { AccountForm, InviteForm, InviteShown } from './people-forms.tsx';

export function PeoplePage() {
  const people = useLoad('people', () => requestJson<PeopleList>('GET', '/admin/v1/people'));
  const accounts = useLoad('accounts', () =>
    requestJson<AccountList>('GET', '/admin/v1/accounts?limit=500'),
  );
  const [open, setOpen] = useState<'invite' | 'account'>();
  const [shown, setShown] = useState<NewInvite>();
  const named = (id: string | null) =>
    accounts.data?.accounts.find((account) => account.id === id)?.name ?? id ?? 'All accounts';
  return (
    <Page
      title="People and accounts"
      intro="An account owns a balance, keys and jobs. Members belong to one account."
      aside={
        <div className="row">
          <Button kind="primary" onPress={() => setOpen('invite')}>
            Invite a person
          </Button>
          <Button onPress={() => setOpen('account')}>New account</Button>
        </div>
      }
    >
      <h2>People</h2>
      <Await of={people}>
        {(data) => <PeopleTable list={data} named={named} reload={people.reload} />}
      </Await>
      <h2>Accounts</h2>
      <AccountTable accounts={accounts} />
      {open === 'invite' ? (
        <InviteForm
          accounts={accounts.data?.accounts ?? []}
          onClose={() => setOpen(undefined)}
          onDone={(made) => {
            setOpen(undefined);
            setShown(made);
            people.reload();
          }}
        />
      ) : null}
      {open === 'account' ? (
        <AccountForm
          onClose={() => setOpen(undefined)}
          onDone={() => {
            setOpen(undefined);
            accounts.reload();
          }}
        />
      ) : null}
      {shown === undefined ? null : (
        <InviteShown made={shown} onClose={() => setShown(undefined)} />
      )}
    </Page>
  );
}

interface PeopleTableProps {
  list: PeopleList;
  named: (accountId: string | null) => string;
  reload: () => void;
}

function PeopleTable({ list, named, reload }: PeopleTableProps) {
  const { person: me } = useSession();
  const [leaving, setLeaving] = useState<Person>();
  const remove = useAction(async (path: string) => {
    await requestJson('DELETE', path);
    setLeaving(undefined);
    reload();
  });
  return (
    <>
      <Table
        label="People"
        rows={list.people}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', show: ({ name }) => name, wrap: true },
          { title: 'Email', show: ({ email }) => email, wrap: true },
          { title: 'Role', show: ({ role }) => <Tag tone={toneOf(role)}>{role}</Tag> },
          { title: 'Account', show: ({ account_id }) => named(account_id), wrap: true },
          { title: 'Since', show: ({ created_at }) => dayOf(created_at) },
          {
            title: 'Change',
            show: (person) =>
              person.id === me.id ? (
                <span className="soft small">You</span>
              ) : (
                <Button
                  kind="plain"
                  label={`Remove ${person.name}`}
                  onPress={() => setLeaving(person)}
                >
                  Remove
                </Button>
              ),
          },
        ]}
      />
      <InviteTable
        list={list}
        named={named}
        onWithdraw={(id) => remove.run(`/admin/v1/invites/${id}`)}
      />
      <ErrorNote error={leaving ? undefined : remove.error} />
      {leaving === undefined ? null : (
        <Confirm
          title={`Remove ${leaving.name}?`}
          action="Remove"
          busy={remove.busy}
          onConfirm={() => remove.run(`/admin/v1/people/${leaving.id}`)}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            {leaving.email} is signed out everywhere and cannot come back without an invitation.
          </p>
          <ErrorNote error={remove.error} />
        </Confirm>
      )}
    </>
  );
}

interface InviteTableProps extends Omit<PeopleTableProps, 'reload'> {
  onWithdraw: (id: string) => void;
}

function InviteTable({ list, named, onWithdraw }: InviteTableProps) {
  if (list.invites.length === 0) return null;
  return (
    <Table
      label="Open invitations"
      rows={list.invites}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Invitation', show: ({ role }) => <Tag tone={toneOf(role)}>{role}</Tag> },
        { title: 'Account', show: ({ account_id }) => named(account_id), wrap: true },
        {
          title: 'Works until',
          show: ({ expires_at }) => (expires_at === null ? '' : when(expires_at)),
        },
        {
          title: 'Change',
          show: ({ id }) => (
            <Button kind="plain" onPress={() => onWithdraw(id)}>
              Withdraw
            </Button>
          ),
        },
      ]}
    />
  );
}

function toneOf(role: string): 'accent' | 'quiet' {
  return role === 'operator' ? 'accent' : 'quiet';
}

function AccountTable({ accounts }: { accounts: Loaded<AccountList> }) {
  return (
    <Await of={accounts}>
      {({ accounts: rows }) => (
        <Table
          label="Accounts"
          rows={rows}
          keyOf={({ id }: Account) => id}
          columns={[
            { title: 'Name', show: ({ name }) => name, wrap: true },
            { title: 'Id', show: ({ id }) => <code>{id}</code> },
            {
              title: 'Balance',
              right: true,
              show: ({ balance_usd }) => <Money usd={balance_usd} />,
            },
            { title: 'Created', show: ({ created_at }) => dayOf(created_at) },
          ]}
        />
      )}
    </Await>
  );
}
