// The operator's form for the threshold below which a balance is low.
import { useState } from 'react';
import type { Account } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { fieldErrorsOf, useAction } from '../api/use-action.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';

interface LowBalanceProps {
  of: Account;
  onClose: () => void;
  /** The form stays until this ends, so that it never opens again with the old value. */
  onDone: () => Promise<void>;
}

export function LowBalance({ of: account, onClose, onDone }: LowBalanceProps) {
  const [threshold, setThreshold] = useState(String(account.low_balance_usd));
  const save = useAction(async () => {
    await admin.accounts.change(account.id, { low_balance_usd: Number(threshold) });
    await onDone();
  });
  const errors = fieldErrorsOf(save.error, ['low_balance_usd']);
  return (
    <FormDialog
      title={`Low balance of ${account.name}`}
      submit="Save"
      action={save}
      errors={errors}
      onClose={onClose}
    >
      <Input
        label="Threshold in USD"
        type="number"
        min={0}
        step="any"
        required
        hint="Below it this page warns, and webhooks receive the event balance.low."
        value={threshold}
        onChange={setThreshold}
        error={errors.of('low_balance_usd')}
      />
    </FormDialog>
  );
}
