// What was spent in this month, by key.
import type { Key, UsageLine, UsageReport } from '@trivium/contract';
import { requestJson, withQuery } from '../api/http.ts';
import { keyName } from '../api/names.ts';
import { useLoad } from '../api/use-load.ts';
import { Await } from '../components/basics.tsx';
import { Money } from '../components/money.tsx';
import { Table } from '../components/table.tsx';
import { count } from '../format.ts';
import { useSession } from '../shell/session.tsx';

export function Spending({ keys }: { keys: readonly Key[] }) {
  const { account } = useSession();
  const from = `${new Date().toISOString().slice(0, 7)}-01`;
  const path = withQuery('/admin/v1/usage', { account_id: account.id, by: 'key', from });
  const usage = useLoad(path, () => requestJson<UsageReport>('GET', path));
  return (
    <details className="folded">
      <summary>Cost by key in this month</summary>
      <Await of={usage}>
        {({ usage: lines }) =>
          lines.length === 0 ? (
            <p className="soft">Nothing was spent in this month, in UTC.</p>
          ) : (
            <Table
              label="Cost by key"
              rows={lines.toSorted((one, other) => other.cost_usd - one.cost_usd)}
              keyOf={({ group }: UsageLine) => group}
              columns={[
                { title: 'Key', wrap: true, show: ({ group }) => keyName(keys, group) },
                { title: 'Cost', right: true, show: ({ cost_usd }) => <Money usd={cost_usd} /> },
                { title: 'Requests', right: true, show: ({ requests }) => count(requests) },
              ]}
            />
          )
        }
      </Await>
    </details>
  );
}
