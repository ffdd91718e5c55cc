// The API keys of an account: create, limit, rotate, inspect and revoke them.
import { useMemo, useState } from 'react';
import type { Key, NewKey } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { providerName, useKeys } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import type { Action } from '../api/use-action.ts';
import { ago, count, dayOf, exactUsd, usd, when } from '../format.ts';
import { Await, Button, DocsLink, Empty, Page, Tag } from '../components/basics.tsx';
import { CapMeter } from '../components/cap-meter.tsx';
import { Confirm, useDialog } from '../components/dialog.tsx';
import { Select } from '../components/field.tsx';
import { LongTable } from '../components/long-table.tsx';
import { SearchField } from '../components/search-field.tsx';
import { setQuery, useLocation } from '../shell/router.tsx';
import { ForChanges, useMayChange } from '../shell/session.tsx';
import { KeyMode } from '../components/simulated.tsx';
import { RowActions } from '../components/table.tsx';
import { KeyForm } from './key-form.tsx';
import { findKeys, keyOrders, sortKeys } from './key-order.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RotateForm } from './rotate-form.tsx';

type Opened = { what: 'create' } | { what: 'edit' | 'rotate'; key: Key };

export function KeysPage() {
  const keys = useKeys();
  const { open, setOpen, close } = useDialog<Opened>({
    create: useMayChange() && { what: 'create' },
  });
  const [shown, setShown] = useState<{ made: NewKey; rotated: boolean }>();
  const show = (made: NewKey, rotated: boolean) => {
    // The secret is shown without waiting for the list.
    close();
    setShown({ made, rotated });
  };
  const make = (
    <ForChanges>
      <Button kind="primary" onPress={() => setOpen({ what: 'create' })}>
        Create a key
      </Button>
    </ForChanges>
  );
  return (
    <Page
      title="Keys"
      intro="A key lets a program use the three tools on this account’s balance."
      aside={
        <div className="row">
          <DocsLink page="quickstart" />
          {make}
        </div>
      }
    >
      <Await of={keys}>
        {(data) =>
          data.keys.length === 0 ? (
            <Empty card title="No keys yet" action={make}>
              Create one, copy it, and send it in the header Authorization: Bearer.
            </Empty>
          ) : (
            <KeyTables keys={data.keys} onOpen={setOpen} />
          )
        }
      </Await>
      {open?.what === 'create' || open?.what === 'edit' ? (
        <KeyForm
          editing={open.what === 'edit' ? open.key : undefined}
          onClose={close}
          onMade={(made) => show(made, false)}
        />
      ) : null}
      {open?.what === 'rotate' ? (
        <RotateForm of={open.key} onClose={close} onMade={(made) => show(made, true)} />
      ) : null}
      {shown === undefined ? null : (
        <NewKeyDialog
          {...shown}
          onClose={() => {
            setShown(undefined);
            // The first request may have been sent in the meantime.
            keys.reload();
          }}
        />
      )}
    </Page>
  );
}

interface KeyTablesProps {
  keys: readonly Key[];
  onOpen: (opened: Opened) => void;
}

function KeyTables({ keys: all, onOpen }: KeyTablesProps) {
  const { query } = useLocation();
  const [text, sort, selected] = [query.get('q') ?? '', query.get('sort'), query.get('key')];
  const [active, revoked] = useMemo(() => {
    const found = sortKeys(findKeys(all, text), sort, selected);
    const isActive = ({ revoked_at }: Key) => revoked_at === null;
    return [found.filter(isActive), found.filter((key) => !isActive(key))];
  }, [all, text, sort, selected]);
  const none = text === '' ? 'All keys of this account are revoked.' : 'No active key matches.';
  return (
    <>
      <search className="filters" aria-label="Find keys">
        <SearchField name="q" label="Search keys" placeholder="Search by name or id" />
        <Select
          label="Sort by"
          options={keyOrders.map(([value, words]) => [value, words] as const)}
          value={sort ?? ''}
          onChange={(value) => setQuery({ sort: value })}
        />
        <p className="soft" role="status">
          {counted(active.length)}
          {text === '' ? '' : ` of ${count(all.filter(({ revoked_at }) => !revoked_at).length)}`}
        </p>
      </search>
      {active.length === 0 ? <p className="soft">{none}</p> : null}
      {active.length === 0 ? null : <ActiveKeys keys={active} onOpen={onOpen} />}
      {revoked.length === 0 ? null : (
        <details className="folded">
          <summary>
            {count(revoked.length)} revoked {revoked.length === 1 ? 'key' : 'keys'}
          </summary>
          <LongTable
            label="Revoked keys"
            rows={revoked}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Name', show: ({ name }) => name, wrap: true },
              { title: 'Key', show: ({ display }) => <code>{display}…</code> },
              { title: 'Revoked', show: ({ revoked_at }) => when(revoked_at ?? '') },
              { title: 'Created', show: ({ created_at }) => dayOf(created_at) },
            ]}
          />
        </details>
      )}
    </>
  );
}

function counted(keys: number): string {
  return keys === 1 ? '1 key' : `${count(keys)} keys`;
}

function ActiveKeys({ keys, onOpen }: KeyTablesProps) {
  const [leaving, setLeaving] = useState<{ key: Key; what: 'key' | 'previous' }>();
  const end = useAction(
    ({ id }: Key, what: 'key' | 'previous') =>
      what === 'key' ? admin.keys.revoke(id) : admin.keys.endOverlap(id),
    (key) => setLeaving((now) => (now?.key === key ? undefined : now)),
  );
  return (
    <>
      <LongTable
        label="Keys"
        rows={keys}
        keyOf={({ id }) => id}
        selected={useLocation().query.get('key')}
        columns={[
          {
            title: 'Name',
            line: 1,
            wrap: true,
            show: ({ name, display }) => (
              <>
                {name} <KeyMode display={display} />
              </>
            ),
          },
          {
            title: 'Key',
            optional: true,
            show: ({ display }) => <code>{display}…</code>,
          },
          { title: 'State', line: 1, wrap: true, show: (key) => <State of={key} /> },
          { title: 'Used', line: 2, wrap: true, sort: '', show: (key) => <KeyUsage of={key} /> },
          { title: 'Limits', optional: true, show: (key) => limitsOf(key), wrap: true },
          {
            title: 'Last used',
            line: 2,
            sort: 'last_used',
            show: ({ last_used_at }) => (last_used_at ? ago(last_used_at) : 'Never'),
          },
          {
            title: 'Actions',
            line: 1,
            changes: true,
            show: (key) => (
              <Actions
                of={key}
                onOpen={onOpen}
                onEnd={(what) => {
                  end.clear();
                  setLeaving({ key, what });
                }}
              />
            ),
          },
        ]}
      />
      {leaving === undefined ? null : (
        <EndKey
          ending={leaving.key}
          what={leaving.what}
          action={{ ...end, run: () => end.run(leaving.key, leaving.what) }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}

interface ActionsProps {
  of: Key;
  onOpen: (opened: Opened) => void;
  onEnd: (what: 'key' | 'previous') => void;
}

function Actions({ of: key, onOpen, onEnd }: ActionsProps) {
  return (
    <RowActions
      of={key.name}
      label={(text) => `${text} ${key.name}`}
      actions={[
        ['Edit', () => onOpen({ what: 'edit', key })],
        ['Rotate', () => onOpen({ what: 'rotate', key })],
        key.previous_until !== null && ['End the overlap', () => onEnd('previous'), 'danger'],
        ['Revoke', () => onEnd('key'), 'danger'],
      ]}
    />
  );
}

interface EndKeyProps {
  ending: Key;
  what: 'key' | 'previous';
  action: Action<[]>;
  onClose: () => void;
}

function EndKey({ ending, what, ...confirm }: EndKeyProps) {
  const isKey = what === 'key';
  return (
    <Confirm
      title={isKey ? `Revoke “${ending.name}”?` : `End the overlap of “${ending.name}”?`}
      submit={isKey ? 'Revoke this key' : 'End the overlap'}
      {...confirm}
    >
      {isKey ? (
        <p>
          Programs that use <code>{ending.display}…</code> are refused within a second, on every
          gateway. This cannot be undone.
        </p>
      ) : (
        <p>
          Programs that still use the previous secret are refused within a second. The new one,{' '}
          <code>{ending.display}…</code>, keeps working.
        </p>
      )}
    </Confirm>
  );
}

function State({ of: key }: { of: Key }) {
  const isExpired = key.expires_at !== null && Date.parse(key.expires_at) <= Date.now();
  return (
    <div className="stack tight">
      <span>{isExpired ? <Tag tone="warn">Expired</Tag> : <Tag tone="good">Active</Tag>}</span>
      {key.previous_until === null ? null : (
        <span className="small soft">Previous secret until {when(key.previous_until)}</span>
      )}
    </div>
  );
}

function limitsOf(key: Key): string {
  const limits = [
    key.daily_cap_usd === null ? '' : `${exactUsd(key.daily_cap_usd)} a day`,
    key.monthly_cap_usd === null ? '' : `${exactUsd(key.monthly_cap_usd)} a month`,
    key.expires_at === null ? '' : `until ${when(key.expires_at)}`,
    key.tools === null ? '' : `only ${key.tools.join(', ')}`,
    key.providers === null ? '' : `only ${key.providers.map(providerName).join(', ')}`,
    key.requests_per_minute === null ? '' : `${count(key.requests_per_minute)} a minute`,
    key.requests_at_once === null ? '' : `${count(key.requests_at_once)} at once`,
    key.max_cost_usd === null ? '' : `${exactUsd(key.max_cost_usd)} a request`,
    key.max_audio_minutes === null ? '' : `recordings up to ${key.max_audio_minutes} min`,
    key.overdraft_usd === null ? '' : `overdraft ${exactUsd(key.overdraft_usd)}`,
    key.max_stored_mb === null ? '' : `${count(key.max_stored_mb)} MiB stored`,
    key.allowed_domains === null ? '' : `${key.allowed_domains.length} domains allowed`,
    key.blocked_domains === null ? '' : `${key.blocked_domains.length} domains blocked`,
    key.keep_query_hours === null ? '' : `queries kept for ${key.keep_query_hours} h`,
    key.content === null ? '' : `content: ${key.content}`,
  ].filter((limit) => limit !== '');
  return limits.length === 0 ? 'None' : limits.join('; ');
}

function KeyUsage({ of: key }: { of: Key }) {
  return (
    <div className="stack tight">
      <Used label="Today" used={key.used_today_usd} cap={key.daily_cap_usd} />
      <Used label="Month" used={key.used_this_month_usd} cap={key.monthly_cap_usd} />
    </div>
  );
}

function Used({ label, used, cap }: { label: string; used: number; cap: number | null }) {
  return (
    <div className="used">
      <span className="small soft">{label}</span>
      <span className="small">
        {amountOf(used)}
        {cap === null ? null : ` of ${amountOf(cap)}`}
      </span>
      <CapMeter of={label} used={used} cap={cap} />
    </div>
  );
}

/** Caps are often a fraction of a dollar, and so is the amount used. */
function amountOf(amount: number): string {
  return amount < 1 ? exactUsd(amount) : usd(amount);
}
