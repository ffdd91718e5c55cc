// The form to create or change a key.
import { useState } from 'react';
import type { ComponentProps } from 'react';
import type { Key, KeyRequest, NewKey } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { fieldErrorsOf, useAction, useIdempotencyKey } from '../api/use-action.ts';
import { capOf, CapInput, textOfCap } from '../components/cap-input.tsx';
import { FormDialog } from '../components/dialog.tsx';
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
  const errors = fieldErrorsOf(save.error, fields);
  return (
    <FormDialog
      title={editing ? 'Change this key' : 'Create a key'}
      submit={editing ? 'Save' : 'Create'}
      action={save}
      errors={errors}
      onClose={onClose}
    >
      <Input
        label="Name"
        hint="What will use it, such as “nightly import”."
        required
        value={name}
        onChange={setName}
        error={errors.of('name')}
      />
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
      <Input
        label="Expires"
        type="date"
        max="9998-12-31"
        hint={`At the start of this day in ${zone}. Leave empty for no expiry.`}
        value={expires}
        onChange={setExpires}
        error={errors.of('expires_at')}
      />
      <OwnPolicy input={policy} onChange={setPolicy} errors={errors} />
    </FormDialog>
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
  if (!editing) return admin.keys.create(accountId, body, { idempotency_key: idempotencyKey });
  await admin.keys.change(editing.id, body);
  return undefined;
}
