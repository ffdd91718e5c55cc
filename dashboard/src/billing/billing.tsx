// The billing page: the ledger with filters and export, and for operators top-ups, adjustments
// and the threshold of a low balance.
import type { Account, Key } from '@trivium/contract';
import type { TransferFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { keyName, useKeys } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import { usd } from '../format.ts';
import { Button, DocsLink, ErrorNote, Page } from '../components/basics.tsx';
import { useDialog } from '../components/dialog.tsx';
import { Filters, timeFilters, useFilterQuery } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { Pages, usePagedList } from '../components/pager.tsx';
import { SavedViews } from '../components/saved-views.tsx';
import { useIsOperator, useSession } from '../shell/session.tsx';
import { BalanceWarning } from './balance-warning.tsx';
import { exportTransfers } from './export-transfers.ts';
import { Ledger, kinds } from './ledger-table.tsx';
import { LowBalance, MoveMoney } from './move-money.tsx';
import type { MoveKind } from './move-money.tsx';

export function BillingPage() {
  const { account, details: balance } = useSession();
  const operator = useIsOperator();
  const keys = useKeys().data?.keys ?? [];
  const filters = filtersFor(keys);
  const query = { account_id: account.id, ...useFilterQuery<TransferFilters>(filters) };
  const transfers = usePagedList('transfers', admin.transfers.list, query);
  const { open, setOpen, close } = useDialog<MoveKind | 'threshold'>({
    topUp: operator && 'topUp',
  });
  const save = useAction(() => exportTransfers(query, (id) => keyName(keys, id)));
  return (
    <Page
      title="Billing"
      intro={balance.data ? balanceWords(balance.data) : 'Every movement of money on this account.'}
      aside={
        <div className="row">
          <DocsLink page="money" />
          {operator ? (
            <>
              <Button kind="primary" onPress={() => setOpen('topUp')}>
                Top up
              </Button>
              <Button onPress={() => setOpen('adjust')}>Adjust</Button>
              <Button disabled={!balance.data} onPress={() => setOpen('threshold')}>
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
      <Filters filters={filters}>
        <SavedViews page="/billing" />
      </Filters>
      <ErrorNote error={save.error} />
      <Pages of={transfers}>
        {({ transfers: lines }) => <Ledger lines={lines} keys={keys} filters={filters} />}
      </Pages>
      {open === 'threshold' && balance.data ? (
        <LowBalance of={balance.data} onClose={close} />
      ) : null}
      {open === undefined || open === 'threshold' ? null : (
        <MoveMoney kind={open} account={account} onClose={close} />
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
    ...timeFilters,
  ];
}

function balanceWords({ balance_usd, held_usd, exposed_usd }: Account): string {
  const held = held_usd > 0 ? `, and ${usd(held_usd)} is held for requests in progress` : '';
  const more = exposed_usd > 0 ? ` Open transcriptions can cost ${usd(exposed_usd)} more.` : '';
  return `${usd(balance_usd)} is available${held}.${more}`;
}
