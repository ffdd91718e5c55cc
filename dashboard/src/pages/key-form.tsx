// The form to create or change a key, and the dialog that shows a new key once.
import { useState } from 'react';
import type { Key, KeyRequest, NewKey, ProviderId } from '@trivium/contract';
import { requestJson, RequestError } from '../api/http.ts';
import { useProviders } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Copy } from '../components/copy.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';
import { useSession } from '../shell/session.tsx';

interface KeyFormProps {
  editing: Key | undefined;
  onClose: () => void;
  /** Receives the key itself if one was created. */
  onDone: (made: NewKey | undefined) => void;
}

export function KeyForm({ editing, onClose, onDone }: KeyFormProps) {
  const { account } = useSession();
  const [name, setName] = useState(editing?.name ?? '');
  const [expires, setExpires] = useState(editing?.expires_at?.slice(0, 10) ?? '');
  const [daily, setDaily] = useState(textOf(editing?.daily_cap_usd));
  const [monthly, setMonthly] = useState(textOf(editing?.monthly_cap_usd));
  const [allowed, setAllowed] = useState<readonly ProviderId[]>(editing?.providers ?? []);
  const save = useAction(async () => {
    const body: KeyRequest = {
      name,
      expires_at: expires === '' ? null : new Date(`${expires}T00:00:00`).toISOString(),
      daily_cap_usd: numberOf(daily),
      monthly_cap_usd: numberOf(monthly),
      providers: allowed.length === 0 ? null : [...allowed],
    };
    onDone(await saveKey(account.id, editing, body));
  });
  const issues = save.error instanceof RequestError ? save.error.issues : [];
  const faultOf = (path: string) => issues.find((issue) => issue.path === path)?.message;
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
          fault={faultOf('name')}
        />
        <div className="grid-two">
          <CapInput label="Daily cap in USD" {...{ value: daily, onChange: setDaily }} />
          <CapInput label="Monthly cap in USD" {...{ value: monthly, onChange: setMonthly }} />
        </div>
        <Input
          label="Expires"
          type="date"
          hint="Leave empty for no expiry."
          value={expires}
          onChange={setExpires}
          fault={faultOf('expires_at')}
        />
        <AllowList allowed={allowed} onChange={setAllowed} />
        <ErrorNote error={issues.length > 0 ? undefined : save.error} />
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
): Promise<NewKey | undefined> {
  if (!editing) {
    return requestJson('POST', `/admin/v1/accounts/${encodeURIComponent(accountId)}/keys`, body);
  }
  await requestJson('PATCH', `/admin/v1/keys/${encodeURIComponent(editing.id)}`, body);
  return undefined;
}

interface CapInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
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

export function KeyShown({ made, onClose }: { made: NewKey; onClose: () => void }) {
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <p>Copy it now: it is not stored and cannot be shown again.</p>
      <code className="secret">{made.key}</code>
      <div className="row">
        <Copy text={made.key} what="Copy the key" />
        <Button kind="primary" onPress={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
}

function textOf(cap: number | null | undefined): string {
  return cap === null || cap === undefined ? '' : String(cap);
}

function numberOf(text: string): number | null {
  return text === '' ? null : Number(text);
}
