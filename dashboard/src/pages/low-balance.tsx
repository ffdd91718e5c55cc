// The operator's form for the threshold below which a balance is low.
import type { Account } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useForm } from '../api/use-form.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';

interface LowBalanceProps {
  of: Account;
  onClose: () => void;
  /** The form stays until this ends, so that it never opens again with the old value. */
  onDone: () => Promise<void>;
}

export function LowBalance({ of: account, onClose, onDone }: LowBalanceProps) {
  const initial = { low_balance_usd: String(account.low_balance_usd) };
  const form = useForm(initial, async ({ low_balance_usd: usd }) => {
    await admin.accounts.change(account.id, { low_balance_usd: Number(usd) });
    await onDone();
  });
  return (
    <FormDialog
      title={`Low balance of ${account.name}`}
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
        hint="Below it this page warns, and webhooks receive the event balance.low."
        {...form.field('low_balance_usd')}
      />
    </FormDialog>
  );
}
