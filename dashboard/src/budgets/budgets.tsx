// The budgets of tag values: how much of its caps each has spent, and the forms to set and remove
// one.
import type { Budget } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/data.ts';
import { Await, Button, Money } from '../components/basics.tsx';
import { CapMeter } from '../components/cap-meter.tsx';
import { Confirm, useDialog } from '../components/dialog.tsx';
import { RowActions, Table } from '../components/table.tsx';
import { ForChanges, useMayChange, useSession } from '../shell/session.tsx';
import { BudgetForm } from './budget-form.tsx';

type Opened = { what: 'create' } | { what: 'edit' | 'remove'; budget: Budget };

export function Budgets() {
  const { account } = useSession();
  const list = useLoad(['budgets', account.id], () => admin.budgets.list(account.id));
  const { open, setOpen, close } = useDialog<Opened>({
    create: useMayChange() && { what: 'create' },
  });
  return (
    <section className="stack" aria-labelledby="budgets">
      <div className="row apart">
        <h2 id="budgets">Tag budgets</h2>
        <ForChanges>
          <Button onPress={() => setOpen({ what: 'create' })}>Set a budget</Button>
        </ForChanges>
      </div>
      <Await of={list}>
        {({ budgets }) =>
          budgets.length === 0 ? (
            <p className="soft">No tag has a budget.</p>
          ) : (
            <BudgetTable rows={budgets} onOpen={setOpen} />
          )
        }
      </Await>
      {open?.what === 'create' || open?.what === 'edit' ? (
        <BudgetForm
          accountId={account.id}
          editing={open.what === 'edit' ? open.budget : undefined}
          onClose={close}
        />
      ) : null}
      {open?.what === 'remove' ? (
        <RemoveBudget accountId={account.id} of={open.budget} onClose={close} />
      ) : null}
    </section>
  );
}

interface BudgetTableProps {
  rows: readonly Budget[];
  onOpen: (opened: Opened) => void;
}

function BudgetTable({ rows, onOpen }: BudgetTableProps) {
  return (
    <Table
      label="Budgets"
      rows={rows}
      keyOf={nameOf}
      columns={[
        { title: 'Tag', wrap: true, show: (budget) => nameOf(budget) },
        {
          title: 'Today',
          right: true,
          show: ({ today_usd, daily_cap_usd }) => (
            <Used of="Today" usd={today_usd} cap={daily_cap_usd} />
          ),
        },
        {
          title: 'This month',
          right: true,
          show: ({ this_month_usd, monthly_cap_usd }) => (
            <Used of="This month" usd={this_month_usd} cap={monthly_cap_usd} />
          ),
        },
        {
          title: 'Actions',
          changes: true,
          show: (budget) => (
            <RowActions
              of={nameOf(budget)}
              label={(text) => `${text} the budget of ${nameOf(budget)}`}
              actions={[
                ['Edit', () => onOpen({ what: 'edit', budget })],
                ['Remove', () => onOpen({ what: 'remove', budget }), 'danger'],
              ]}
            />
          ),
        },
      ]}
    />
  );
}

function nameOf({ tag, value }: Budget): string {
  return `${tag}=${value}`;
}

function Used({ of, usd, cap }: { of: string; usd: number; cap: number | null }) {
  if (cap === null) return <Money usd={usd} />;
  return (
    <span className="used budget">
      <span>
        <Money usd={usd} /> of <Money usd={cap} />
      </span>
      <CapMeter of={of} used={usd} cap={cap} />
    </span>
  );
}

interface RemoveBudgetProps {
  accountId: string;
  of: Budget;
  onClose: () => void;
}

function RemoveBudget({ accountId, of: budget, onClose }: RemoveBudgetProps) {
  const remove = useAction(() => admin.budgets.delete(accountId, budget), onClose);
  return (
    <Confirm
      title={`Remove the budget of ${nameOf(budget)}?`}
      submit="Remove it"
      action={remove}
      onClose={onClose}
    >
      <p>Requests with this tag will then be limited only by their key and the balance.</p>
    </Confirm>
  );
}
