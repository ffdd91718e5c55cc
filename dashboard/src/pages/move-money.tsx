// The operator's dialogs to top up or adjust an account, always with a reason.
import { useState } from 'react';
import { requestJson, RequestError } from '../api/http.ts';
import { faultsOf, useAction, useIdempotencyKey } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';

export type MoveKind = 'topups' | 'adjustments';

interface MoveMoneyProps {
  kind: MoveKind;
  account: { id: string; name: string };
  onClose: () => void;
  /** The form stays until this ends, so that its movement is on the page when it closes. */
  onDone: () => Promise<void>;
}

const words = {
  topups: { title: 'Top up', hint: 'Available at once.', action: 'Top up' },
  adjustments: {
    title: 'Adjust',
    hint: 'Negative to debit; never more than is available.',
    action: 'Adjust',
  },
};

const repeated =
  'An earlier attempt was booked with another amount or reason. Close this form and look at the ' +
  'ledger before you book more.';

/** The gateway answers 409 when this form was already booked with other values. */
function isRepeated(error: unknown): boolean {
  return error instanceof RequestError && error.status === 409;
}

export function MoveMoney({ kind, account, onClose, onDone }: MoveMoneyProps) {
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const idempotencyKey = useIdempotencyKey();
  const move = useAction(async () => {
    const path = `/admin/v1/accounts/${encodeURIComponent(account.id)}/${kind}`;
    const body = { amount_usd: Number(amount), reason };
    await requestJson('POST', path, body, { idempotencyKey }).catch((error: unknown) => {
      throw isRepeated(error) ? new Error(repeated) : error;
    });
    await onDone();
  });
  const faults = faultsOf(move.error, ['amount_usd', 'reason']);
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
          fault={faults.of('amount_usd')}
        />
        <Input
          label="Reason"
          required
          hint="Recorded in the ledger permanently."
          value={reason}
          onChange={setReason}
          fault={faults.of('reason')}
        />
        <ErrorNote error={faults.rest} />
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
