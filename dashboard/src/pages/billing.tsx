// The billing page: the ledger with filters and export, budgets, and for operators top-ups,
// adjustments and the threshold of a low balance.
import { useState } from 'react';
import type { Account, Key, TransferList } from '@trivium/contract';
import { requestJson, withQuery } from '../api/http.ts';
import { useKeys } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import { usd } from '../format.ts';
import { Await, Button, ErrorNote, Page } from '../components/basics.tsx';
import { DocsLink } from '../components/docs-link.tsx';
import { Filters, useFilterQuery } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { Pager, usePaging } from '../components/pager.tsx';
import { useIsOperator, useSession } from '../shell/session.tsx';
import { BalanceWarning } from './balance-warning.tsx';
import { Budgets } from './budgets.tsx';
import { exportTransfers } from './export-transfers.ts';
import { kinds, Ledger } from './ledger-table.tsx';
import { LowBalance } from './low-balance.tsx';
import { MoveMoney } from './move-money.tsx';
import type { MoveKind } from './move-money.tsx';
import { Spending } from './spending.tsx';
import { StoredLine } from './stored-use.tsx';

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
  const balance = useBalance(account.id);
  const [moving, setMoving] = useState<MoveKind | 'threshold'>();
  const save = useAction(() => exportTransfers(base));
  // Also without a success: an attempt whose response was lost may be booked.
  const close = () => {
    setMoving(undefined);
    list.reload();
    balance.reload();
  };
  const moved = async () => {
    await Promise.all([list.update(), balance.update()]);
    setMoving((now) => (now === moving ? undefined : now));
  };
  return (
    <Page
      title="Billing"
      intro={balance.data ? balanceWords(balance.data) : 'Every movement of money on this account.'}
      aside={
        <div className="row">
          <DocsLink page="money" />
          {operator ? (
            <>
              <Button kind="primary" onPress={() => setMoving('topups')}>
                Top up
              </Button>
              <Button onPress={() => setMoving('adjustments')}>Adjust</Button>
              <Button disabled={!balance.data} onPress={() => setMoving('threshold')}>
                Low balance
              </Button>
            </>
          ) : null}
          <Button busy={save.busy} onPress={() => save.run()}>
            Export CSV
          </Button>
        </div>
      }
    >
      {balance.data ? <BalanceWarning of={balance.data} /> : null}
      <StoredLine />
      <Spending keys={keys} />
      <Budgets />
      <Filters filters={filters} />
      <ErrorNote error={save.error} />
      <Await of={list}>
        {({ transfers, next_cursor, searched_until }) => (
          <>
            <Ledger lines={transfers} keys={keys} />
            <Pager paging={paging} next={next_cursor} searchedUntil={searched_until} />
          </>
        )}
      </Await>
      {moving === 'threshold' && balance.data ? (
        <LowBalance
          of={balance.data}
          onClose={close}
          onDone={async () => {
            await balance.update();
            setMoving((now) => (now === moving ? undefined : now));
          }}
        />
      ) : null}
      {moving === undefined || moving === 'threshold' ? null : (
        <MoveMoney kind={moving} account={account} onClose={close} onDone={moved} />
      )}
    </Page>
  );
}

function useBalance(accountId: string) {
  const path = `/admin/v1/accounts/${encodeURIComponent(accountId)}`;
  return useLoad(path, () => requestJson<Account>('GET', path));
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

function balanceWords({ balance_usd, held_usd, exposed_usd }: Account): string {
  const held = held_usd > 0 ? `, and ${usd(held_usd)} is held for requests in progress` : '';
  const more = exposed_usd > 0 ? ` Open transcriptions can cost ${usd(exposed_usd)} more.` : '';
  return `${usd(balance_usd)} is available${held}.${more}`;
}
