// The billing page: the ledger with filters and export, and for operators top-ups and adjustments.
import { useState } from 'react';
import type { Account, Key, TransferLine, TransferList } from '@trivium/contract';
import { requestJson, withQuery } from '../api/http.ts';
import { keyName, useKeys } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { usd, when } from '../format.ts';
import { Await, Button, Empty, ErrorNote, Page, Tag } from '../components/basics.tsx';
import { Filters, useFilterQuery } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { Money } from '../components/money.tsx';
import { Pager, usePaging } from '../components/pager.tsx';
import { Table } from '../components/table.tsx';
import { Link } from '../shell/router.tsx';
import { useIsOperator, useSession } from '../shell/session.tsx';
import { exportTransfers } from './export-transfers.ts';
import { MoveMoney } from './move-money.tsx';
import type { MoveKind } from './move-money.tsx';

const kinds: Readonly<Record<TransferLine['kind'], string>> = {
  topup: 'Top-up',
  settle: 'Charge',
  refund: 'Refund',
  adjust: 'Adjustment',
};

export function BillingPage() {
  const { account } = useSession();
  const operator = useIsOperator();
  const keys = useKeys().data?.keys ?? [];
  const filters = filtersFor(keys);
  const base = withQuery('/admin/v1/transfers', {
    account_id: account.id,
    ...useFilterQuery(filters),
  });
  const paging = usePaging(base);
  const path =
    paging.cursor === undefined ? base : `${base}&cursor=${encodeURIComponent(paging.cursor)}`;
  const list = useLoad(path, () => requestJson<TransferList>('GET', path));
  const accountPath = `/admin/v1/accounts/${encodeURIComponent(account.id)}`;
  const balance = useLoad(accountPath, () => requestJson<Account>('GET', accountPath));
  const [moving, setMoving] = useState<MoveKind>();
  const save = useAction(() => exportTransfers(base));
  // Also without a success: an attempt whose response was lost may be booked.
  const close = () => {
    setMoving(undefined);
    list.reload();
    balance.reload();
  };
  return (
    <Page
      title="Billing"
      intro={balance.data ? balanceWords(balance.data) : 'Every movement of money on this account.'}
      aside={
        <div className="row">
          {operator ? (
            <>
              <Button kind="primary" onPress={() => setMoving('topups')}>
                Top up
              </Button>
              <Button onPress={() => setMoving('adjustments')}>Adjust</Button>
            </>
          ) : null}
          <Button busy={save.busy} onPress={() => save.run()}>
            Export CSV
          </Button>
        </div>
      }
    >
      <Filters filters={filters} />
      <ErrorNote error={save.error} />
      <Await of={list}>
        {({ transfers, next_cursor }) => (
          <>
            <Ledger lines={transfers} keys={keys} />
            <Pager paging={paging} next={next_cursor} />
          </>
        )}
      </Await>
      {moving === undefined ? null : (
        <MoveMoney kind={moving} account={account} onClose={close} onDone={close} />
      )}
    </Page>
  );
}

function filtersFor(keys: readonly Key[]): Filter[] {
  return [
    { name: 'kind', label: 'Kind', options: Object.entries(kinds) },
    {
      name: 'key_id',
      label: 'Key',
      options: [['dashboard', 'Dashboard'], ...keys.map(({ id, name }) => [id, name] as const)],
    },
    { name: 'from', label: 'From' },
    { name: 'to', label: 'To' },
  ];
}

function Ledger({ lines, keys }: { lines: readonly TransferLine[]; keys: readonly Key[] }) {
  if (lines.length === 0) {
    return (
      <div className="card">
        <Empty title="No movements">No ledger line matches these filters.</Empty>
      </div>
    );
  }
  return (
    <Table
      label="Ledger"
      rows={lines}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Time', show: ({ created_at }) => when(created_at) },
        { title: 'Kind', show: (line) => <KindTag of={line} /> },
        {
          title: 'Amount',
          right: true,
          show: ({ amount_usd }) => <Money usd={amount_usd} signed />,
        },
        { title: 'Reason', wrap: true, show: ({ reason }) => reason ?? '' },
        { title: 'Key', show: ({ key_id }) => (key_id === null ? '' : keyName(keys, key_id)) },
        { title: 'Request', show: ({ request_id }) => <Cause id={request_id ?? ''} /> },
      ]}
    />
  );
}

/** A link to the request or job of a ledger line. */
function Cause({ id }: { id: string }) {
  const job = id.startsWith('job:') ? id.slice('job:'.length) : undefined;
  if (id === '') return null;
  return (
    <Link to={job === undefined ? `/requests?request=${id}` : `/jobs?job=${job}`}>
      <code>{job ?? id}</code>
    </Link>
  );
}

function balanceWords({ balance_usd, held_usd }: Account): string {
  const held = held_usd > 0 ? `, and ${usd(held_usd)} is held for requests in progress` : '';
  return `${usd(balance_usd)} is available${held}.`;
}

function KindTag({ of: { kind } }: { of: TransferLine }) {
  return <Tag tone={kind === 'settle' ? 'quiet' : 'accent'}>{kinds[kind]}</Tag>;
}
