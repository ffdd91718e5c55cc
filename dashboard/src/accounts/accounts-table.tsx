// The accounts of this gateway, and the forms to create and rename them and to set their policies.
import type { Account, AccountList } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { fieldErrorsOf, useAction, useIdempotencyKey } from '../api/use-action.ts';
import { useForm } from '../api/use-form.ts';
import type { Loaded } from '../api/data.ts';
import { dayOf } from '../format.ts';
import { Await, Money } from '../components/basics.tsx';
import { FormDialog, useDialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';
import { LongTable } from '../components/long-table.tsx';
import { RowActions } from '../components/table.tsx';
import { useState } from 'react';
import { PolicyFields } from '../policy/policy-fields.tsx';
import { inputOf, policyFields, policyOf } from '../policy/policy-input.ts';

type Opened = { what: 'name' | 'policy'; account: Account };

export function AccountTable({ accounts }: { accounts: Loaded<AccountList> }) {
  const { open, setOpen, close } = useDialog<Opened>();
  return (
    <>
      <Await of={accounts}>
        {({ accounts: rows }) => (
          <LongTable
            label="Accounts"
            rows={rows}
            keyOf={({ id }: Account) => id}
            columns={[
              { title: 'Name', line: 1, show: ({ name }) => name, wrap: true },
              { title: 'Id', line: 2, show: ({ id }) => <code>{id}</code> },
              {
                title: 'Balance',
                line: 1,
                right: true,
                show: ({ balance_usd }) => <Money usd={balance_usd} />,
              },
              { title: 'Created', line: 2, show: ({ created_at }) => dayOf(created_at) },
              {
                title: 'Actions',
                line: 1,
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
      {open?.what === 'policy' ? <AccountPolicy of={open.account} onClose={close} /> : null}
      {open?.what === 'name' ? <AccountForm renaming={open.account} onClose={close} /> : null}
    </>
  );
}

interface AccountFormProps {
  /** Without it, a new account is created. */
  renaming?: Account;
  onClose: () => void;
}

export function AccountForm({ renaming, onClose }: AccountFormProps) {
  const idempotencyKey = useIdempotencyKey();
  const send = ({ name }: { name: string }) =>
    renaming
      ? admin.accounts.update(renaming.id, { name })
      : admin.accounts.create(name, { idempotency_key: idempotencyKey });
  const form = useForm({ name: renaming?.name ?? '' }, send, onClose);
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

function AccountPolicy({ of: account, onClose }: { of: Account; onClose: () => void }) {
  const [input, setInput] = useState(() => inputOf(account));
  const save = useAction(() => admin.accounts.update(account.id, policyOf(input)), onClose);
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
