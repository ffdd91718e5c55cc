// The form to set the budget of a tag value.
import { useState } from 'react';
import type { Budget, BudgetRequest } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { fieldErrorsOf, useAction } from '../api/use-action.ts';
import { capOf, CapInput, textOfCap } from '../components/cap-input.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';

interface BudgetFormProps {
  accountId: string;
  editing: Budget | undefined;
  onClose: () => void;
  /** The form stays until this ends, so that it never opens again with old values. */
  onDone: () => Promise<void>;
}

export function BudgetForm({ accountId, editing, onClose, onDone }: BudgetFormProps) {
  const [tag, setTag] = useState(editing?.tag ?? '');
  const [value, setValue] = useState(editing?.value ?? '');
  const [daily, setDaily] = useState(textOfCap(editing?.daily_cap_usd));
  const [monthly, setMonthly] = useState(textOfCap(editing?.monthly_cap_usd));
  const save = useAction(async () => {
    const caps = { daily_cap_usd: capOf(daily), monthly_cap_usd: capOf(monthly) };
    const body: BudgetRequest = { tag, value, ...caps };
    await admin.budgets.set(accountId, body);
    await onDone();
  });
  const errors = fieldErrorsOf(save.error, ['tag', 'value', 'daily_cap_usd', 'monthly_cap_usd']);
  const isEmpty = daily === '' && monthly === '';
  return (
    <FormDialog
      title={editing ? `The budget of ${tag}=${value}` : 'Set a budget'}
      submit="Save"
      action={save}
      errors={errors}
      disabled={isEmpty}
      note={isEmpty ? 'Set at least one cap.' : undefined}
      onClose={onClose}
    >
      {editing ? null : (
        <div className="grid-two">
          <Input
            label="Tag"
            required
            placeholder="team"
            value={tag}
            onChange={setTag}
            error={errors.of('tag')}
          />
          <Input
            label="Value"
            required
            placeholder="search"
            value={value}
            onChange={setValue}
            error={errors.of('value')}
          />
        </div>
      )}
      <div className="grid-two">
        <CapInput
          label="Daily cap in USD"
          value={daily}
          onChange={setDaily}
          error={errors.of('daily_cap_usd')}
        />
        <CapInput
          label="Monthly cap in USD"
          value={monthly}
          onChange={setMonthly}
          error={errors.of('monthly_cap_usd')}
        />
      </div>
      <p className="small soft">
        Days and months are in UTC. It replaces a budget that the tag value has.
      </p>
    </FormDialog>
  );
}
