// The accounts of this gateway, and the forms to create and rename them.
import { useState } from 'react';
import type { Account, AccountList } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { fieldErrorsOf, useAction, useIdempotencyKey } from '../api/use-action.ts';
import type { Loaded } from '../api/use-load.ts';
import { dayOf } from '../format.ts';
import { Await, Button } from '../components/basics.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';
import { Money } from '../components/money.tsx';
import { Table } from '../components/table.tsx';
import { useSession } from '../shell/session.tsx';
import { AccountPolicy } from './account-policy.tsx';

export function AccountTable({ accounts }: { accounts: Loaded<AccountList> }) {
  const { reload } = useSession();
  const [renaming, setRenaming] = useState<Account>();
  const [limiting, setLimiting] = useState<Account>();
  return (
    <>
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
              {
                title: 'Change',
                show: (account) => (
                  <div className="actions">
                    <Button
                      kind="plain"
                      label={`Rename ${account.name}`}
                      onPress={() => setRenaming(account)}
                    >
                      Rename
                    </Button>
                    <Button
                      kind="plain"
                      label={`Policy of ${account.name}`}
                      onPress={() => setLimiting(account)}
                    >
                      Policy
                    </Button>
                  </div>
                ),
              },
            ]}
          />
        )}
      </Await>
      {limiting === undefined ? null : (
        <AccountPolicy
          of={limiting}
          onClose={() => setLimiting(undefined)}
          onDone={async () => {
            await accounts.update();
            setLimiting((now) => (now === limiting ? undefined : now));
          }}
        />
      )}
      {renaming === undefined ? null : (
        <AccountForm
          renaming={renaming}
          onClose={() => setRenaming(undefined)}
          onDone={async () => {
            // The name also stands above the page.
            reload();
            await accounts.update();
            setRenaming((now) => (now === renaming ? undefined : now));
          }}
        />
      )}
    </>
  );
}

interface AccountFormProps {
  /** Without it, a new account is created. */
  renaming?: Account;
  onClose: () => void;
  /** The form stays until this ends, so that it never opens again with the old name. */
  onDone: () => Promise<void>;
}

export function AccountForm({ renaming, onClose, onDone }: AccountFormProps) {
  const [name, setName] = useState(renaming?.name ?? '');
  const idempotencyKey = useIdempotencyKey();
  const save = useAction(async () => {
    if (renaming) await admin.accounts.change(renaming.id, { name });
    else await admin.accounts.create(name, { idempotency_key: idempotencyKey });
    await onDone();
  });
  const errors = fieldErrorsOf(save.error, ['name']);
  return (
    <FormDialog
      title={renaming ? 'Rename this account' : 'New account'}
      submit={renaming ? 'Rename' : 'Create'}
      action={save}
      errors={errors}
      onClose={onClose}
    >
      <Input label="Name" required value={name} onChange={setName} error={errors.of('name')} />
    </FormDialog>
  );
}
