// The form for the policy of an account: it applies to every key, together with the key's own.
import { useState } from 'react';
import type { Account } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { faultsOf, useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Dialog } from '../components/dialog.tsx';
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
    const path = `/admin/v1/accounts/${encodeURIComponent(account.id)}`;
    await requestJson('PATCH', path, policyOf(input));
    await onDone();
  });
  const faults = faultsOf(save.error, policyFields);
  return (
    <Dialog title={`The policy of ${account.name}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <p className="small soft">It applies to every key of the account, and to the playground.</p>
        <PolicyFields input={input} onChange={setInput} faults={faults} />
        <ErrorNote error={faults.rest} />
        <div className="row">
          <Button kind="primary" submit busy={save.busy}>
            Save
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
