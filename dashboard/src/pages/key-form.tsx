// The form to create or change a key.
import { useState } from 'react';
import type { Key, KeyRequest, NewKey, ProviderId } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { useProviders } from '../api/names.ts';
import { faultsOf, useAction, useIdempotencyKey } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';
import { useSession } from '../shell/session.tsx';
import { dayIn, startOfDay, useZone } from '../zone.ts';

interface KeyFormProps {
  editing: Key | undefined;
  onClose: () => void;
  /** Receives the key itself if one was created. */
  onDone: (made: NewKey | undefined) => void;
}

const fields = ['name', 'daily_cap_usd', 'monthly_cap_usd', 'expires_at'];

export function KeyForm({ editing, onClose, onDone }: KeyFormProps) {
  const { account } = useSession();
  const [name, setName] = useState(editing?.name ?? '');
  const zone = useZone();
  const before = editing?.expires_at ?? null;
  const dayBefore = before === null ? '' : dayIn(zone, before);
  const [expires, setExpires] = useState(dayBefore);
  const [daily, setDaily] = useState(textOf(editing?.daily_cap_usd));
  const [monthly, setMonthly] = useState(textOf(editing?.monthly_cap_usd));
  const [allowed, setAllowed] = useState<readonly ProviderId[]>(editing?.providers ?? []);
  const idempotencyKey = useIdempotencyKey();
  const save = useAction(async () => {
    // A day that was not touched keeps its moment.
    const expiresAt = expires === '' ? null : startOfDay(zone, expires);
    const body: KeyRequest = {
      name,
      expires_at: expires === dayBefore ? before : expiresAt,
      daily_cap_usd: numberOf(daily),
      monthly_cap_usd: numberOf(monthly),
      providers: allowed.length === 0 ? null : [...allowed],
    };
    onDone(await saveKey(account.id, editing, body, idempotencyKey));
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
        <AllowList allowed={allowed} onChange={setAllowed} />
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

interface CapInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  fault: string | undefined;
}

function CapInput(props: CapInputProps) {
  return <Input type="number" min={0} step="any" placeholder="No cap" {...props} />;
}

interface AllowListProps {
  allowed: readonly ProviderId[];
  onChange: (allowed: readonly ProviderId[]) => void;
}

function AllowList({ allowed, onChange }: AllowListProps) {
  const providers = useProviders().data?.providers ?? [];
  return (
    <details>
      <summary>
        {allowed.length === 0 ? 'May use every provider' : `May use ${allowed.length} providers`}
      </summary>
      <fieldset className="grid-two">
        <legend className="hidden-text">Providers this key may use</legend>
        {providers.map(({ id, name }) => (
          <label key={id} className="check small">
            <input
              type="checkbox"
              checked={allowed.includes(id)}
              onChange={(event) =>
                onChange(
                  event.target.checked ? [...allowed, id] : allowed.filter((one) => one !== id),
                )
              }
            />
            {name} <span className="soft">({id})</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}

function textOf(cap: number | null | undefined): string {
  return cap === null || cap === undefined ? '' : String(cap);
}

function numberOf(text: string): number | null {
  return text === '' ? null : Number(text);
}
