// Why the requests of this list cost more or less than those before: one sentence above the list.
import type { UsageComparison } from '@trivium/contract';
import type { RequestFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { keyName, providerName, useKeys } from '../api/names.ts';
import { useLoad } from '../api/data.ts';
import { Await } from '../components/basics.tsx';
import { FilterChip } from '../components/filter-chip.tsx';
import { useLiveRefresh } from '../shell/live.tsx';
import { useLocation } from '../shell/router.tsx';
import { useSession } from '../shell/session.tsx';
import { changeParameter } from './change-address.ts';
import { changeOf, changeWords, figuresOf } from './change-words.ts';

/** Totals do not have the other filters, so with them there is no sentence. */
export function Change({ filters }: { filters: RequestFilters }) {
  const { details } = useSession();
  const measure = useLocation().query.get(changeParameter) === 'requests' ? 'requests' : 'cost';
  const { id, text, status, error_type: error, from, ...rest } = filters;
  const isKnown = from !== undefined && [id, text, status, error].every((one) => one === undefined);
  const query = { ...rest, from: from ?? '', measure } as const;
  const found = useLoad(isKnown ? ['usage', 'change', query] : undefined, () =>
    admin.usageChange(query),
  );
  // The figures of a range that is not over change with the list.
  const isOver = rest.to !== undefined && Date.parse(rest.to) <= Date.now();
  useLiveRefresh(() => (isKnown && !isOver ? found.refresh() : Promise.resolve(true)));
  const created = details.data?.created_at;
  if (!isKnown || created === undefined) return null;
  const { outcome, to } = filters;
  const asked = { measure, outcome, to, created_at: created } as const;
  return (
    <section className="note" aria-label="What changed">
      <Await of={found}>
        {(change) => (
          <>
            <p>
              <strong>{changeWords(change, asked)}</strong>
              {change.causes.map((cause, place) => (
                <span key={`${cause.by} ${cause.group}`}>
                  {place === 0 ? ': ' : ', '}
                  <Cause of={cause} /> ({changeOf(cause, asked)})
                </span>
              ))}
            </p>
            <p className="small soft">{figuresOf(change)}</p>
          </>
        )}
      </Await>
    </section>
  );
}

function Cause({ of: { by, group } }: { of: UsageComparison['causes'][number] }) {
  const keys = useKeys().data?.keys ?? [];
  switch (by) {
    case 'key':
      return <FilterChip filter={{ key_id: group }}>key {keyName(keys, group)}</FilterChip>;
    case 'provider':
      return (
        <FilterChip filter={{ provider: group || undefined }}>{providerName(group)}</FilterChip>
      );
    case 'tag':
      return <FilterChip filter={{ q: `tag:${group}` }}>tag {group}</FilterChip>;
  }
}
