// The API keys of an account: create, limit, inspect and revoke them.
import { useState } from 'react';
import type { Key, NewKey } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { useKeys } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import { ago, dayOf, usd, when } from '../format.ts';
import { Await, Button, Empty, ErrorNote, Page, Tag } from '../components/basics.tsx';
import { Confirm } from '../components/dialog.tsx';
import { Table } from '../components/table.tsx';
import { KeyForm, KeyShown } from './key-form.tsx';

export function KeysPage() {
  const keys = useKeys();
  const [open, setOpen] = useState<'new' | Key>();
  const [shown, setShown] = useState<NewKey>();
  const make = (
    <Button kind="primary" onPress={() => setOpen('new')}>
      Create a key
    </Button>
  );
  return (
    <Page
      title="Keys"
      intro="A key lets a program use the three tools on this account’s balance."
      aside={make}
    >
      <Await of={keys}>
        {(data) =>
          data.keys.length === 0 ? (
            <div className="card">
              <Empty title="No keys yet" action={make}>
                Create one, copy it once, and send it as the header Authorization: Bearer.
              </Empty>
            </div>
          ) : (
            <KeyTable keys={data.keys} onEdit={setOpen} reload={keys.reload} />
          )
        }
      </Await>
      {open === undefined ? null : (
        <KeyForm
          editing={open === 'new' ? undefined : open}
          onClose={() => {
            setOpen(undefined);
            // An attempt whose response was lost may have made a key.
            keys.reload();
          }}
          onDone={(made) => {
            setOpen(undefined);
            setShown(made);
            keys.reload();
          }}
        />
      )}
      {shown === undefined ? null : <KeyShown made={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

interface KeyTableProps {
  keys: readonly Key[];
  onEdit: (key: Key) => void;
  reload: () => void;
}

function KeyTable({ keys, onEdit, reload }: KeyTableProps) {
  const [leaving, setLeaving] = useState<Key>();
  const revoke = useAction(async (key: Key) => {
    await requestJson('DELETE', `/admin/v1/keys/${encodeURIComponent(key.id)}`);
    setLeaving(undefined);
    reload();
  });
  return (
    <>
      <Table
        label="Keys"
        rows={keys}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', show: ({ name }) => name, wrap: true },
          { title: 'Key', show: ({ display }) => <code>{display}…</code> },
          { title: 'State', show: (key) => <State of={key} /> },
          { title: 'Limits', show: (key) => limitsOf(key), wrap: true },
          { title: 'Created', show: ({ created_at }) => dayOf(created_at) },
          {
            title: 'Last used',
            show: ({ last_used_at }) => (last_used_at ? ago(last_used_at) : 'Never'),
          },
          {
            title: 'Change',
            show: (key) =>
              key.revoked_at === null ? (
                <>
                  <Button kind="plain" label={`Edit ${key.name}`} onPress={() => onEdit(key)}>
                    Edit
                  </Button>
                  <Button kind="plain" label={`Revoke ${key.name}`} onPress={() => setLeaving(key)}>
                    Revoke
                  </Button>
                </>
              ) : null,
          },
        ]}
      />
      {leaving === undefined ? null : (
        <Confirm
          title={`Revoke “${leaving.name}”?`}
          action="Revoke this key"
          busy={revoke.busy}
          onConfirm={() => revoke.run(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            Programs that use <code>{leaving.display}…</code> are refused within a second, on every
            gateway. This cannot be undone.
          </p>
          <ErrorNote error={revoke.error} />
        </Confirm>
      )}
    </>
  );
}

function State({ of: key }: { of: Key }) {
  if (key.revoked_at !== null) {
    return <Tag title={`Revoked ${when(key.revoked_at)}`}>Revoked</Tag>;
  }
  if (key.expires_at !== null && Date.parse(key.expires_at) <= Date.now()) {
    return <Tag tone="warn">Expired</Tag>;
  }
  return <Tag tone="good">Active</Tag>;
}

function limitsOf(key: Key): string {
  const limits = [
    key.daily_cap_usd === null ? '' : `${usd(key.daily_cap_usd)} a day`,
    key.monthly_cap_usd === null ? '' : `${usd(key.monthly_cap_usd)} a month`,
    key.expires_at === null ? '' : `until ${when(key.expires_at)}`,
    key.providers === null ? '' : `only ${key.providers.join(', ')}`,
  ].filter((limit) => limit !== '');
  return limits.length === 0 ? 'None' : limits.join('; ');
}
