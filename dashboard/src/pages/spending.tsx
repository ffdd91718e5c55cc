// What was spent in this month, by key or by the values of a tag, and what the account keeps.
import { useState } from 'react';
import type { Key, StoredUse, UsageLine } from '@trivium/contract';
import type { AccountUsageFilters } from '@trivium/sdk';
import { admin, gatewayClientFor } from '../api/clients.ts';
import { keyName } from '../api/names.ts';
import { useLoad } from '../api/use-load.ts';
import { Await, Money, Segments } from '../components/basics.tsx';
import { Table } from '../components/table.tsx';
import { count, mebibytes } from '../format.ts';
import { useSession } from '../shell/session.tsx';

/** More tags than this do not fit into a choice. */
const maxTags = 8;

export function Spending({ keys }: { keys: readonly Key[] }) {
  const [by, setBy] = useState('key');
  const usage = useUsage(by);
  const tags = (useUsage('tag').data?.usage ?? []).map(({ group }) => group).slice(0, maxTags);
  const isByKey = by === 'key';
  const nameOf = ({ group }: UsageLine) =>
    isByKey ? keyName(keys, group) : group === '' ? 'Without this tag' : group;
  return (
    <details className="folded">
      <summary>Cost by key and by tag in this month</summary>
      <div className="stack">
        {tags.length === 0 ? null : (
          <Segments
            label="Cost by"
            options={[['key', 'Key'], ...tags.map((tag) => [`tag:${tag}`, `Tag ${tag}`] as const)]}
            value={by}
            onChange={setBy}
          />
        )}
        <Await of={usage}>
          {({ usage: lines }) =>
            lines.length === 0 ? (
              <p className="soft">Nothing was spent in this month, in UTC.</p>
            ) : (
              <Table
                label={isByKey ? 'Cost by key' : 'Cost by tag'}
                rows={lines.toSorted((one, other) => other.cost_usd - one.cost_usd)}
                keyOf={({ group }: UsageLine) => group}
                columns={[
                  { title: isByKey ? 'Key' : 'Value', wrap: true, show: nameOf },
                  { title: 'Cost', right: true, show: ({ cost_usd }) => <Money usd={cost_usd} /> },
                  { title: 'Requests', right: true, show: ({ requests }) => count(requests) },
                ]}
              />
            )
          }
        </Await>
      </div>
    </details>
  );
}

function useUsage(group: string) {
  // The choices are those of the API, and tags.
  const by = group as AccountUsageFilters['by'];
  const { account } = useSession();
  const from = `${new Date().toISOString().slice(0, 7)}-01`;
  return useLoad(`${account.id} ${group}`, () => admin.usage({ account_id: account.id, by, from }));
}

export function StoredUsage() {
  const { account } = useSession();
  // Of one day: only what is stored is shown here.
  const from = new Date().toISOString().slice(0, 10);
  const usage = useLoad(account.id, () => gatewayClientFor(account.id).client.usage({ from }));
  return (
    <Await of={usage}>
      {({ stored }) => (stored ? <p className="soft">{storedWords(stored)}</p> : null)}
    </Await>
  );
}

function storedWords({ bytes, max_bytes, uploads, answers, transcripts, tags }: StoredUse): string {
  const parts = Object.entries({ uploads, answers, transcripts, tags });
  const each = parts.map(([name, size]) => `${name} ${mebibytes(size)}`).join(', ');
  return `Stored: ${mebibytes(bytes)} of ${mebibytes(max_bytes)} (${each}).`;
}
