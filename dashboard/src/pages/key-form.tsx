// The form to create or change a key.
import { useState } from 'react';
import type { ComponentProps } from 'react';
import type { Key, KeyRequest, NewKey } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { faultsOf, useAction, useIdempotencyKey } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { capOf, CapInput, textOfCap } from '../components/cap-input.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';
import { useIsOperator, useSession } from '../shell/session.tsx';
import { PolicyFields, Providers } from './policy-fields.tsx';
import { inputOf, policyFields, policyOf } from './policy-input.ts';
import { dayIn, startOfDay, useZone } from '../zone.ts';

interface KeyFormProps {
  editing: Key | undefined;
  onClose: () => void;
  /** Receives the key itself if one was created. The form stays until this ends. */
  onDone: (made: NewKey | undefined) => Promise<void>;
}

const fields = ['name', 'daily_cap_usd', 'monthly_cap_usd', 'expires_at', ...policyFields];

export function KeyForm({ editing, onClose, onDone }: KeyFormProps) {
  const { account } = useSession();
  const operator = useIsOperator();
  const [name, setName] = useState(editing?.name ?? '');
  const zone = useZone();
  const before = editing?.expires_at ?? null;
  const dayBefore = before === null ? '' : dayIn(zone, before);
  const [expires, setExpires] = useState(dayBefore);
  const [daily, setDaily] = useState(textOfCap(editing?.daily_cap_usd));
  const [monthly, setMonthly] = useState(textOfCap(editing?.monthly_cap_usd));
  const [policy, setPolicy] = useState(() => inputOf(editing));
  const idempotencyKey = useIdempotencyKey();
  const save = useAction(async () => {
    // A day that was not touched keeps its moment.
    const expiresAt = expires === '' ? null : startOfDay(zone, expires);
    const body: KeyRequest = {
      name,
      expires_at: expires === dayBefore ? before : expiresAt,
      daily_cap_usd: capOf(daily),
      monthly_cap_usd: capOf(monthly),
      ...(operator ? policyOf(policy) : { providers: policyOf(policy).providers }),
    };
    await onDone(await saveKey(account.id, editing, body, idempotencyKey));
  });
  const faults = faultsOf(save.error, fields);
  return (
    <Dialog title={editing ? 'Change this key' : 'Create a key'} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <Input
          label="Name"
          hint="What will use it, such as “nightly import”."
          required
          value={name}
          onChange={setName}
          fault={faults.of('name')}
        />
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
        <Input
          label="Expires"
          type="date"
          max="9998-12-31"
          hint={`At the start of this day in ${zone}. Leave empty for no expiry.`}
          value={expires}
          onChange={setExpires}
          fault={faults.of('expires_at')}
        />
        <OwnPolicy input={policy} onChange={setPolicy} faults={faults} />
        <ErrorNote error={faults.rest} />
        <div className="row">
          <Button kind="primary" submit busy={save.busy}>
            {editing ? 'Save' : 'Create'}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Members limit the providers of their keys; the rest of a policy is the operator's. */
function OwnPolicy(props: ComponentProps<typeof PolicyFields>) {
  const { input, onChange } = props;
  if (useIsOperator()) return <PolicyFields {...props} />;
  const change = (providers: typeof input.providers) => onChange({ ...input, providers });
  return <Providers chosen={input.providers} onChange={change} />;
}

async function saveKey(
  accountId: string,
  editing: Key | undefined,
  body: KeyRequest,
  idempotencyKey: string,
): Promise<NewKey | undefined> {
  if (!editing) {
    const path = `/admin/v1/accounts/${encodeURIComponent(accountId)}/keys`;
    return requestJson('POST', path, body, { idempotencyKey });
  }
  const path = `/admin/v1/keys/${encodeURIComponent(editing.id)}`;
  await requestJson('PATCH', path, body);
  return undefined;
}
