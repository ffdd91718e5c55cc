// The form for the policy of an account: it applies to every key, together with the key's own.
import { useState } from 'react';
import type { Account } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { fieldErrorsOf, useAction } from '../api/use-action.ts';
import { FormDialog } from '../components/dialog.tsx';
import { PolicyFields } from './policy-fields.tsx';
import { inputOf, policyFields, policyOf } from './policy-input.ts';

interface AccountPolicyProps {
  of: Account;
  onClose: () => void;
  /** The form stays until this ends, so that it never opens again with old values. */
  onDone: () => Promise<void>;
}

export function AccountPolicy({ of: account, onClose, onDone }: AccountPolicyProps) {
  const [input, setInput] = useState(() => inputOf(account));
  const save = useAction(async () => {
    await admin.accounts.change(account.id, policyOf(input));
    await onDone();
  });
  const errors = fieldErrorsOf(save.error, policyFields);
  return (
    <FormDialog
      title={`The policy of ${account.name}`}
      submit="Save"
      form={{ action: save, errors }}
      onClose={onClose}
    >
      <p className="small soft">It applies to every key of the account, and to the playground.</p>
      <PolicyFields input={input} onChange={setInput} errors={errors} />
    </FormDialog>
  );
}
