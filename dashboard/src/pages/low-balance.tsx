// The operator's form for the threshold below which a balance is low.
import { useState } from 'react';
import type { Account } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { faultsOf, useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Dialog } from '../components/dialog.tsx';
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
    const path = `/admin/v1/accounts/${encodeURIComponent(account.id)}`;
    await requestJson('PATCH', path, { low_balance_usd: Number(threshold) });
    await onDone();
  });
  const faults = faultsOf(save.error, ['low_balance_usd']);
  return (
    <Dialog title={`Low balance of ${account.name}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
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
          fault={faults.of('low_balance_usd')}
        />
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
