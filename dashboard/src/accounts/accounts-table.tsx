// The accounts of this gateway, and the forms to create and rename them and to set their policies.
import type { Account, AccountList } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { fieldErrorsOf, useAction, useIdempotencyKey } from '../api/use-action.ts';
import { useForm } from '../api/use-form.ts';
import type { Loaded } from '../api/use-load.ts';
import { dayOf } from '../format.ts';
import { Await, Money } from '../components/basics.tsx';
import { FormDialog, useDialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';
import { RowActions, Table } from '../components/table.tsx';
import { useSession } from '../shell/session.tsx';
import { useState } from 'react';
import { PolicyFields } from '../policy/policy-fields.tsx';
import { inputOf, policyFields, policyOf } from '../policy/policy-input.ts';

type Opened = { what: 'name' | 'policy'; account: Account };

export function AccountTable({ accounts }: { accounts: Loaded<AccountList> }) {
  const { reload } = useSession();
  const { open, setOpen, close, done } = useDialog<Opened>(accounts);
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
                title: 'Actions',
                show: (account) => (
                  <RowActions
                    of={account.name}
                    label={(text) => `${text}${text === 'Policy' ? ' of' : ''} ${account.name}`}
                    actions={[
                      ['Rename', () => setOpen({ what: 'name', account })],
                      ['Policy', () => setOpen({ what: 'policy', account })],
                    ]}
                  />
                ),
              },
            ]}
          />
        )}
      </Await>
      {open?.what === 'policy' ? (
        <AccountPolicy of={open.account} onClose={close} onDone={done} />
      ) : null}
      {open?.what === 'name' ? (
        <AccountForm
          renaming={open.account}
          onClose={close}
          onDone={() => {
            // The name is also shown above the page.
            reload();
            return done();
          }}
        />
      ) : null}
    </>
  );
}

interface AccountFormProps {
  /** Without it, a new account is created. */
  renaming?: Account;
  onClose: () => void;
  /** The form stays open until this is done, so that it never opens again with the old name. */
  onDone: () => Promise<void>;
}

export function AccountForm({ renaming, onClose, onDone }: AccountFormProps) {
  const idempotencyKey = useIdempotencyKey();
  const form = useForm({ name: renaming?.name ?? '' }, async ({ name }) => {
    if (renaming) await admin.accounts.update(renaming.id, { name });
    else await admin.accounts.create(name, { idempotency_key: idempotencyKey });
    await onDone();
  });
  return (
    <FormDialog
      title={renaming ? 'Rename this account' : 'New account'}
      submit={renaming ? 'Rename' : 'Create'}
      form={form}
      onClose={onClose}
    >
      <Input label="Name" required {...form.field('name')} />
    </FormDialog>
  );
}

interface AccountPolicyProps {
  of: Account;
  onClose: () => void;
  /** The form stays open until this is done, so that it never opens again with old values. */
  onDone: () => Promise<void>;
}

function AccountPolicy({ of: account, onClose, onDone }: AccountPolicyProps) {
  const [input, setInput] = useState(() => inputOf(account));
  const save = useAction(async () => {
    await admin.accounts.update(account.id, policyOf(input));
    await onDone();
  });
  const errors = fieldErrorsOf(save.error, policyFields);
  return (
    <FormDialog
      title={`Policy of ${account.name}`}
      submit="Save"
      form={{ action: save, errors }}
      onClose={onClose}
    >
      <p className="small soft">It applies to every key of the account and to the playground.</p>
      <PolicyFields input={input} onChange={setInput} errors={errors} />
    </FormDialog>
  );
}
