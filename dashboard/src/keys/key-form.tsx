// The form to create or change a key.
import { useState } from 'react';
import type { ComponentProps } from 'react';
import type { Key, KeyRequest, NewKey } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useIdempotencyKey } from '../api/use-action.ts';
import { useForm } from '../api/use-form.ts';
import { CapInput, Input, capOf, textOfCap } from '../components/field.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { useIsOperator, useSession } from '../shell/session.tsx';
import { PolicyFields, Providers } from '../policy/policy-fields.tsx';
import { inputOf, policyFields, policyOf } from '../policy/policy-input.ts';
import { dayIn, startOfDay, useZone } from '../zone.ts';

interface KeyFormProps {
  editing: Key | undefined;
  onClose: () => void;
  /** Receives a new key with its secret. */
  onMade: (made: NewKey) => void;
}

export function KeyForm({ editing, onClose, onMade }: KeyFormProps) {
  const { account } = useSession();
  const operator = useIsOperator();
  const zone = useZone();
  const before = editing?.expires_at ?? null;
  const dayBefore = before === null ? '' : dayIn(zone, before);
  const [policy, setPolicy] = useState(() => inputOf(editing));
  const idempotencyKey = useIdempotencyKey();
  const initial = {
    name: editing?.name ?? '',
    expires_at: dayBefore,
    daily_cap_usd: textOfCap(editing?.daily_cap_usd),
    monthly_cap_usd: textOfCap(editing?.monthly_cap_usd),
  };
  const send = async ({ name, expires_at: day, ...caps }: typeof initial) => {
    // An unchanged day keeps its exact time.
    const expiresAt = day === '' ? null : startOfDay(zone, day);
    const body: KeyRequest = {
      name,
      expires_at: day === dayBefore ? before : expiresAt,
      daily_cap_usd: capOf(caps.daily_cap_usd),
      monthly_cap_usd: capOf(caps.monthly_cap_usd),
      ...(operator ? policyOf(policy) : { providers: policyOf(policy).providers }),
    };
    const once = { idempotency_key: idempotencyKey };
    if (editing) await admin.keys.update(editing.id, body);
    else onMade(await admin.keys.create(account.id, body, once));
  };
  const form = useForm(initial, send, onClose, policyFields);
  return (
    <FormDialog
      title={editing ? 'Change this key' : 'Create a key'}
      submit={editing ? 'Save' : 'Create'}
      form={form}
      onClose={onClose}
    >
      <Input
        label="Name"
        hint="What will use it, such as “nightly import”."
        required
        {...form.field('name')}
      />
      <div className="grid-two">
        <CapInput label="Daily cap in USD" {...form.field('daily_cap_usd')} />
        <CapInput label="Monthly cap in USD" {...form.field('monthly_cap_usd')} />
      </div>
      <Input
        label="Expires"
        type="date"
        max="9998-12-31"
        hint={`At the start of this day in ${zone}. Leave empty for no expiry.`}
        {...form.field('expires_at')}
      />
      <OwnPolicy input={policy} onChange={setPolicy} errors={form.errors} />
    </FormDialog>
  );
}

/** Members can limit the providers of their keys; only operators can set the rest of a policy. */
function OwnPolicy(props: ComponentProps<typeof PolicyFields>) {
  const { input, onChange } = props;
  if (useIsOperator()) return <PolicyFields {...props} />;
  const change = (providers: typeof input.providers) => onChange({ ...input, providers });
  return <Providers chosen={input.providers} onChange={change} />;
}
