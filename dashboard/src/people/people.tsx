// The operator's page for people, invitations and accounts.
import { useState } from 'react';
import type { NewInvite } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useAccountList } from '../api/names.ts';
import { useLoad } from '../api/data.ts';
import { Await, Button, DocsLink, Page } from '../components/basics.tsx';
import { useDialog } from '../components/dialog.tsx';
import { AccountForm, AccountTable } from '../accounts/accounts-table.tsx';
import { InviteForm, InviteLinkDialog } from './people-forms.tsx';
import { PeopleTable } from './people-table.tsx';

export function PeoplePage() {
  const people = useLoad(['people'], () => admin.people.list());
  const accounts = useAccountList();
  const { open, setOpen, close } = useDialog<'invite' | 'account'>({
    invite: 'invite',
    account: 'account',
  });
  const [shown, setShown] = useState<NewInvite>();
  const known = accounts.data?.accounts ?? [];
  return (
    <Page
      title="People and accounts"
      intro="An account owns a balance, keys and jobs. Members belong to one account."
      aside={
        <div className="row">
          <DocsLink page="dashboard#people" />
          <Button kind="primary" onPress={() => setOpen('invite')}>
            Invite a person
          </Button>
          <Button onPress={() => setOpen('account')}>New account</Button>
        </div>
      }
    >
      <h2>People</h2>
      <Await of={people}>{(data) => <PeopleTable list={data} accounts={known} />}</Await>
      <h2>Accounts</h2>
      <AccountTable accounts={accounts} />
      {open === 'invite' ? (
        <InviteForm
          accounts={known}
          onClose={close}
          onMade={(made) => {
            setOpen(undefined);
            setShown(made);
          }}
        />
      ) : null}
      {open === 'account' ? <AccountForm onClose={close} /> : null}
      {shown === undefined ? null : (
        <InviteLinkDialog made={shown} onClose={() => setShown(undefined)} />
      )}
    </Page>
  );
}
