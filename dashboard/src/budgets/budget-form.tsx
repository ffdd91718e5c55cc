// The form to set the budget of a tag value.
import type { Budget } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useForm } from '../api/use-form.ts';
import { CapInput, Input, capOf, textOfCap } from '../components/field.tsx';
import { FormDialog } from '../components/dialog.tsx';

interface BudgetFormProps {
  accountId: string;
  editing: Budget | undefined;
  onClose: () => void;
}

export function BudgetForm({ accountId, editing, onClose }: BudgetFormProps) {
  const initial = {
    tag: editing?.tag ?? '',
    value: editing?.value ?? '',
    daily_cap_usd: textOfCap(editing?.daily_cap_usd),
    monthly_cap_usd: textOfCap(editing?.monthly_cap_usd),
  };
  const send = ({ daily_cap_usd, monthly_cap_usd, ...named }: typeof initial) => {
    const caps = { daily_cap_usd: capOf(daily_cap_usd), monthly_cap_usd: capOf(monthly_cap_usd) };
    return admin.budgets.set(accountId, { ...named, ...caps });
  };
  const form = useForm(initial, send, onClose);
  const { tag, value, daily_cap_usd, monthly_cap_usd } = form.values;
  const isEmpty = daily_cap_usd === '' && monthly_cap_usd === '';
  return (
    <FormDialog
      title={editing ? `Budget of ${tag}=${value}` : 'Set a budget'}
      submit="Save"
      form={form}
      disabled={isEmpty}
      note={isEmpty ? 'Set at least one cap.' : undefined}
      onClose={onClose}
    >
      {editing ? null : (
        <div className="grid-two">
          <Input label="Tag" required placeholder="team" {...form.field('tag')} />
          <Input label="Value" required placeholder="search" {...form.field('value')} />
        </div>
      )}
      <div className="grid-two">
        <CapInput label="Daily cap in USD" {...form.field('daily_cap_usd')} />
        <CapInput label="Monthly cap in USD" {...form.field('monthly_cap_usd')} />
      </div>
      <p className="small soft">
        Days and months are in UTC. Saving replaces an existing budget of this tag value.
      </p>
    </FormDialog>
  );
}
