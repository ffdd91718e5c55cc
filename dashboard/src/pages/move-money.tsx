// An operator tops an account up or sets it right, always with a reason.
import { useState } from 'react';
import { ask, RequestError } from '../api/http.ts';
import { useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../parts/basics.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Input } from '../parts/field.tsx';

export type MoveKind = 'topups' | 'adjustments';

interface MoveMoneyProps {
  kind: MoveKind;
  account: { id: string; name: string };
  onClose: () => void;
  onDone: () => void;
}

const words = {
  topups: { title: 'Top up', hint: 'It can be spent at once.', action: 'Top up' },
  adjustments: {
    title: 'Adjust',
    hint: 'Negative to take away; never more than can be spent.',
    action: 'Adjust',
  },
};

export function MoveMoney({ kind, account, onClose, onDone }: MoveMoneyProps) {
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const move = useAction(async () => {
    const path = `/admin/v1/accounts/${encodeURIComponent(account.id)}/${kind}`;
    await ask('POST', path, { amount_usd: Number(amount), reason });
    onDone();
  });
  const issues = move.error instanceof RequestError ? move.error.issues : [];
  const faultOf = (path: string) => issues.find((issue) => issue.path === path)?.message;
  const { title, hint, action } = words[kind];
  return (
    <Dialog title={`${title} ${account.name}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          move.run();
        }}
      >
        <Input
          label="Amount in USD"
          type="number"
          step="any"
          required
          hint={hint}
          value={amount}
          onChange={setAmount}
          fault={faultOf('amount_usd')}
        />
        <Input
          label="Reason"
          required
          hint="It stands in the ledger for good."
          value={reason}
          onChange={setReason}
          fault={faultOf('reason')}
        />
        <ErrorNote error={issues.length > 0 ? undefined : move.error} />
        <div className="row">
          <Button kind="primary" submit busy={move.busy}>
            {action}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
