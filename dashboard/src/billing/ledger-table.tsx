// The lines of the ledger: what each was for, and the balance after it.
import type { Key, TransferLine } from '@trivium/contract';
import { keyName, providerName, toolTitles } from '../api/names.ts';
import { Moment, Money, Short, ShortCode, Tag } from '../components/basics.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import type { Filter } from '../components/filters.tsx';
import { Simulated } from '../components/simulated.tsx';
import { Table } from '../components/table.tsx';
import { Link } from '../shell/router.tsx';
import { TopUp } from './top-up.tsx';

export const kinds: Readonly<Record<TransferLine['kind'], string>> = {
  topup: 'Top-up',
  settle: 'Charge',
  refund: 'Refund',
  adjust: 'Adjustment',
};

interface LedgerProps {
  lines: readonly TransferLine[];
  keys: readonly Key[];
  filters: readonly Filter[];
}

export function Ledger({ lines, keys, filters }: LedgerProps) {
  if (lines.length === 0) {
    return (
      <EmptyList of={['ledger entry', 'ledger entries']} filters={filters} action={<TopUp />}>
        This account has never been funded.
      </EmptyList>
    );
  }
  return (
    <Table
      label="Ledger"
      rows={lines}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Time',
          line: 2,
          show: ({ created_at }, brief) => <Moment at={created_at} brief={brief} />,
        },
        { title: 'Kind', line: 2, show: ({ kind }) => <KindTag kind={kind} /> },
        { title: 'For', line: 1, wrap: true, show: (line) => <Purpose of={line} /> },
        {
          title: 'Amount',
          line: 1,
          right: true,
          show: ({ amount_usd }) => <Money usd={amount_usd} signed line />,
        },
        {
          title: 'Balance',
          right: true,
          optional: true,
          show: ({ balance_after_usd: after }) =>
            after === null ? '' : <Money usd={after} line />,
        },
        {
          title: 'Key',
          line: 2,
          optional: true,
          show: ({ key_id }) => (key_id === null ? '' : <Short text={keyName(keys, key_id)} />),
        },
        {
          title: 'Request',
          line: 2,
          optional: true,
          show: ({ request_id }) => <Cause id={request_id ?? ''} />,
        },
      ]}
    />
  );
}

function Purpose({ of: line }: { of: TransferLine }) {
  const { tool, provider, asked, reason } = line;
  return (
    <div className="stack tight">
      {reason === null ? null : <span>{reason}</span>}
      {tool === null ? null : (
        <span>
          {toolTitles[tool] ?? tool}, {providerName(provider)} <Simulated of={line} />
        </span>
      )}
      {asked === null ? null : (
        <span className="small soft clamp" title={asked}>
          {asked}
        </span>
      )}
    </div>
  );
}

/** A link to the request or job of a ledger line. */
function Cause({ id }: { id: string }) {
  const job = id.startsWith('job:') ? id.slice('job:'.length) : undefined;
  if (id === '') return null;
  return (
    <Link to={job === undefined ? `/requests?request=${id}` : `/jobs?job=${job}`}>
      <ShortCode text={job ?? id} />
    </Link>
  );
}

function KindTag({ kind }: Pick<TransferLine, 'kind'>) {
  return <Tag tone={kind === 'settle' ? 'quiet' : 'accent'}>{kinds[kind]}</Tag>;
}
