// The table of endpoints, with the actions for each.
import type { Webhook, WebhookDelivery } from '@trivium/contract';
import { dayOf, when } from '../format.ts';
import { Tag } from '../components/basics.tsx';
import { FilterChip } from '../components/filter-chip.tsx';
import type { Column } from '../components/table.tsx';
import { RowActions, Table } from '../components/table.tsx';
import { eventLabels, healthOf, overlapEnd } from './webhook-labels.ts';

export interface Opened {
  what: 'edit' | 'rotate' | 'remove';
  webhook: Webhook;
}

interface WebhookTableProps {
  rows: readonly Webhook[];
  /** The latest deliveries to all of them. */
  latest: readonly WebhookDelivery[];
  /** Also shows which account each one belongs to. */
  everywhere: boolean;
  busy: boolean;
  onAct: (webhook: Webhook, what: 'test' | 'pause') => void;
  onOpen: (opened: Opened) => void;
}

export function WebhookTable(props: WebhookTableProps) {
  const { rows, everywhere, latest } = props;
  return (
    <Table
      label="Endpoints"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Endpoint', line: 1, wrap: true, show: (webhook) => <Endpoint of={webhook} /> },
        ...(everywhere ? [ofAccount] : []),
        {
          title: 'Events',
          line: 2,
          wrap: true,
          show: ({ events }) => events.map((event) => eventLabels[event]).join(', '),
        },
        {
          title: 'State',
          line: 2,
          show: (webhook) => (
            <State of={webhook} latest={latest.filter((one) => one.webhook_id === webhook.id)} />
          ),
        },
        { title: 'Added', show: ({ created_at }) => dayOf(created_at) },
        {
          title: 'Actions',
          line: 1,
          changes: true,
          show: (webhook) => <Actions of={webhook} {...props} />,
        },
      ]}
    />
  );
}

const ofAccount: Column<Webhook> = {
  title: 'Account',
  line: 2,
  wrap: true,
  show: ({ account_id }) => (account_id === null ? 'This gateway' : <code>{account_id}</code>),
};

function Endpoint({ of: { id, url, description } }: { of: Webhook }) {
  return (
    <div className="stack tight">
      <FilterChip filter={{ webhook_id: id }}>{url}</FilterChip>
      {description === '' ? null : <span className="small soft">{description}</span>}
    </div>
  );
}

function State({ of: webhook, latest }: { of: Webhook; latest: readonly WebhookDelivery[] }) {
  const [tone, words, note] = healthOf(latest);
  const until = overlapEnd(webhook);
  return (
    <div className="stack tight">
      <span>{webhook.paused ? <Tag tone="warn">Paused</Tag> : <Tag tone={tone}>{words}</Tag>}</span>
      {note === undefined ? null : <span className="small soft">{note}</span>}
      {until === undefined ? null : (
        <span className="small soft">Previous secret until {when(until)}</span>
      )}
    </div>
  );
}

function Actions({ of: webhook, busy, onAct, onOpen }: { of: Webhook } & WebhookTableProps) {
  return (
    <RowActions
      disabled={busy}
      of={webhook.url}
      label={(text) => `${text} ${webhook.url}`}
      actions={[
        ['Edit', () => onOpen({ what: 'edit', webhook })],
        ['Test', () => onAct(webhook, 'test')],
        [webhook.paused ? 'Resume' : 'Pause', () => onAct(webhook, 'pause')],
        ['Rotate', () => onOpen({ what: 'rotate', webhook })],
        ['Remove', () => onOpen({ what: 'remove', webhook }), 'danger'],
      ]}
    />
  );
}
