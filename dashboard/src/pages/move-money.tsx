// The operator's dialogs to top up or adjust an account, always with a reason.
import { useState } from 'react';
import { requestJson, RequestError } from '../api/http.ts';
import { useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';

export type MoveKind = 'topups' | 'adjustments';

interface MoveMoneyProps {
  kind: MoveKind;
  account: { id: string; name: string };
  onClose: () => void;
  onDone: () => void;
}

const words = {
  topups: { title: 'Top up', hint: 'Available at once.', action: 'Top up' },
  adjustments: {
    title: 'Adjust',
    hint: 'Negative to debit; never more than is available.',
    action: 'Adjust',
  },
};

export function MoveMoney({ kind, account, onClose, onDone }: MoveMoneyProps) {
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const move = useAction(async () => {
    const path = `/admin/v1/accounts/${encodeURIComponent(account.id)}/${kind}`;
    await requestJson('POST', path, { amount_usd: Number(amount), reason });
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
          hint="Recorded in the ledger permanently."
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
