// The operator's forms to top up or adjust an account, and for the threshold of a low balance.
import { ApiError } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { useIdempotencyKey } from '../api/use-action.ts';
import { useForm } from '../api/use-form.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';
import type { Account } from '@trivium/contract';

export type MoveKind = 'topUp' | 'adjust';

interface MoveMoneyProps {
  kind: MoveKind;
  account: { id: string; name: string };
  onClose: () => void;
}

const words = {
  topUp: { title: 'Top up', hint: 'Available immediately.', action: 'Top up' },
  adjust: {
    title: 'Adjust',
    hint: 'A negative amount debits the account, at most by what is available.',
    action: 'Adjust',
  },
};

const repeated =
  'An earlier attempt was recorded with a different amount or reason. Close this form and check ' +
  'the ledger before you try again.';

/** The gateway answers 409 when this form was already submitted with other values. */
function isRepeated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

export function MoveMoney({ kind, account, onClose }: MoveMoneyProps) {
  const idempotencyKey = useIdempotencyKey();
  const send = async ({ amount_usd, reason }: { amount_usd: string; reason: string }) => {
    const movement = { amount_usd: Number(amount_usd), reason };
    const once = { idempotency_key: idempotencyKey };
    await admin.accounts[kind](account.id, movement, once).catch((error: unknown) => {
      throw isRepeated(error) ? new Error(repeated) : error;
    });
  };
  const form = useForm({ amount_usd: '', reason: '' }, send, onClose);
  const { title, hint, action } = words[kind];
  return (
    <FormDialog title={`${title} ${account.name}`} submit={action} form={form} onClose={onClose}>
      <Input
        label="Amount in USD"
        type="number"
        step="any"
        required
        hint={hint}
        {...form.field('amount_usd')}
      />
      <Input
        label="Reason"
        required
        hint="Recorded in the ledger permanently."
        {...form.field('reason')}
      />
    </FormDialog>
  );
}

interface LowBalanceProps {
  of: Account;
  onClose: () => void;
}

export function LowBalance({ of: account, onClose }: LowBalanceProps) {
  const initial = { low_balance_usd: String(account.low_balance_usd) };
  const send = ({ low_balance_usd: usd }: typeof initial) =>
    admin.accounts.update(account.id, { low_balance_usd: Number(usd) });
  const form = useForm(initial, send, onClose);
  return (
    <FormDialog
      title={`Low balance warning for ${account.name}`}
      submit="Save"
      form={form}
      onClose={onClose}
    >
      <Input
        label="Threshold in USD"
        type="number"
        min={0}
        step="any"
        required
        hint="Below this balance, this page shows a warning and webhooks receive the event balance.low."
        {...form.field('low_balance_usd')}
      />
    </FormDialog>
  );
}
