// The form to set the budget of a tag value.
import { useState } from 'react';
import type { Budget, BudgetRequest } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { faultsOf, useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { capOf, CapInput, textOfCap } from '../components/cap-input.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';

interface BudgetFormProps {
  path: string;
  editing: Budget | undefined;
  onClose: () => void;
  /** The form stays until this ends, so that it never opens again with old values. */
  onDone: () => Promise<void>;
}

export function BudgetForm({ path, editing, onClose, onDone }: BudgetFormProps) {
  const [tag, setTag] = useState(editing?.tag ?? '');
  const [value, setValue] = useState(editing?.value ?? '');
  const [daily, setDaily] = useState(textOfCap(editing?.daily_cap_usd));
  const [monthly, setMonthly] = useState(textOfCap(editing?.monthly_cap_usd));
  const save = useAction(async () => {
    const caps = { daily_cap_usd: capOf(daily), monthly_cap_usd: capOf(monthly) };
    const body: BudgetRequest = { tag, value, ...caps };
    await requestJson('POST', path, body);
    await onDone();
  });
  const faults = faultsOf(save.error, ['tag', 'value', 'daily_cap_usd', 'monthly_cap_usd']);
  const isEmpty = daily === '' && monthly === '';
  return (
    <Dialog title={editing ? `The budget of ${tag}=${value}` : 'Set a budget'} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        {editing ? null : (
          <div className="grid-two">
            <Input
              label="Tag"
              required
              placeholder="team"
              value={tag}
              onChange={setTag}
              fault={faults.of('tag')}
            />
            <Input
              label="Value"
              required
              placeholder="search"
              value={value}
              onChange={setValue}
              fault={faults.of('value')}
            />
          </div>
        )}
        <div className="grid-two">
          <CapInput
            label="Daily cap in USD"
            value={daily}
            onChange={setDaily}
            fault={faults.of('daily_cap_usd')}
          />
          <CapInput
            label="Monthly cap in USD"
            value={monthly}
            onChange={setMonthly}
            fault={faults.of('monthly_cap_usd')}
          />
        </div>
        <p className="small soft">
          Days and months are in UTC. It replaces a budget that the tag value has.
        </p>
        <ErrorNote error={faults.rest} />
        <div className="row">
          <Button kind="primary" submit busy={save.busy} disabled={isEmpty}>
            Save
          </Button>
          <Button onPress={onClose}>Cancel</Button>
          {isEmpty ? <span className="small soft">Set at least one cap.</span> : null}
        </div>
      </form>
    </Dialog>
  );
}
