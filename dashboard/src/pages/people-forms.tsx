// The forms to invite a person and to create an account, and the link that is shown once.
import { useState } from 'react';
import type { Account, InviteRequest, NewInvite } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { faultsOf, useAction, useIdempotencyKey } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Input, Select } from '../components/field.tsx';
import { ShownOnce } from '../components/shown-once.tsx';

interface InviteFormProps {
  accounts: readonly Account[];
  onClose: () => void;
  onDone: (made: NewInvite) => void;
}

export function InviteForm({ accounts, onClose, onDone }: InviteFormProps) {
  const [role, setRole] = useState('member');
  const [accountId, setAccount] = useState(accounts[0]?.id ?? '');
  const idempotencyKey = useIdempotencyKey();
  const make = useAction(async () => {
    const body: InviteRequest =
      role === 'operator' ? { role: 'operator' } : { role: 'member', account_id: accountId };
    onDone(await requestJson<NewInvite>('POST', '/admin/v1/invites', body, { idempotencyKey }));
  });
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          make.run();
        }}
      >
        <Select
          label="Role"
          options={[
            ['member', 'Member of an account'],
            ['operator', 'Operator of this gateway'],
          ]}
          value={role}
          onChange={setRole}
        />
        {role === 'member' ? (
          <Select
            label="Account"
            options={accounts.map(({ id, name }) => [id, name] as const)}
            value={accountId}
            onChange={setAccount}
          />
        ) : null}
        <ErrorNote error={make.error} />
        <div className="row">
          <Button kind="primary" submit busy={make.busy}>
            Create a link
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

export function InviteShown({ made, onClose }: { made: NewInvite; onClose: () => void }) {
  const link = `${location.origin}/join#${made.token}`;
  return (
    <ShownOnce
      title="The invitation link"
      secret={link}
      copy="Copy the link"
      done="Done"
      onClose={onClose}
    >
      Send it to one person. It works once, for seven days, and is not shown again.
    </ShownOnce>
  );
}

export function AccountForm({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [name, setName] = useState('');
  const idempotencyKey = useIdempotencyKey();
  const make = useAction(async () => {
    await requestJson('POST', '/admin/v1/accounts', { name }, { idempotencyKey });
    onDone();
  });
  const faults = faultsOf(make.error, ['name']);
  return (
    <Dialog title="New account" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          make.run();
        }}
      >
        <Input label="Name" required value={name} onChange={setName} fault={faults.of('name')} />
        <ErrorNote error={faults.rest} />
        <div className="row">
          <Button kind="primary" submit busy={make.busy}>
            Create
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
