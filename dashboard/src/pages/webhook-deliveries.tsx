// The log of deliveries of webhooks, with filters; ended ones can be sent again.
import { useEffect, useEffectEvent } from 'react';
import type { DeliveryList, WebhookDelivery } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useAction } from '../api/use-action.ts';
import { preciseWhen, when } from '../format.ts';
import { Button, Empty, ErrorNote, Moment, ShortCode, Tag } from '../components/basics.tsx';
import type { Tone } from '../components/basics.tsx';
import { Filters, useFilters } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { Pages, usePagedList } from '../components/pager.tsx';
import type { PagedList } from '../components/pager.tsx';
import { Table } from '../components/table.tsx';
import { ForChanges } from '../shell/session.tsx';
import { eventLabels } from './webhook-labels.ts';

const tones: Readonly<Record<WebhookDelivery['state'], Tone>> = {
  pending: 'accent',
  delivered: 'good',
  failed: 'bad',
};

const filters: readonly Filter[] = [
  {
    name: 'state',
    label: 'State',
    options: Object.keys(tones).map((state) => [state, state] as const),
  },
  { name: 'event', label: 'Event', options: Object.entries(eventLabels) },
];

/** Without an account, the deliveries of the whole gateway. */
export function useDeliveries(accountId: string | undefined): PagedList<DeliveryList> {
  const deliveries = usePagedList(admin.webhooks.deliveries.list, {
    account_id: accountId,
    ...useFilters(filters),
  });
  const { data, refresh } = deliveries.list;
  const refreshNow = useEffectEvent(() => void refresh().catch(() => undefined));
  useEffect(() => {
    const waitMs = untilNextAttempt(data?.deliveries ?? []);
    if (waitMs === undefined) return undefined;
    const timer = setTimeout(() => refreshNow(), waitMs);
    return () => clearTimeout(timer);
  }, [data]);
  return deliveries;
}

const soonestMs = 1000;
const latestMs = 30_000;

/** Undefined when nothing on the page is about to be sent. */
function untilNextAttempt(deliveries: readonly WebhookDelivery[]): number | undefined {
  const due = deliveries.flatMap(({ next_attempt_at }) =>
    next_attempt_at === null ? [] : [Date.parse(next_attempt_at) - Date.now()],
  );
  if (due.length === 0) return undefined;
  return Math.min(Math.max(Math.min(...due), soonestMs), latestMs);
}

export function Deliveries({ of }: { of: PagedList<DeliveryList> }) {
  const { list } = of;
  const resend = useAction(async (id: string) => {
    await admin.webhooks.deliveries.redeliver(id);
    list.reload();
  });
  return (
    <>
      <div className="row apart">
        <h2>Deliveries</h2>
        <Button busy={list.loading} onPress={list.reload}>
          Refresh
        </Button>
      </div>
      <Filters filters={filters} />
      <ErrorNote error={resend.error} />
      <Pages of={of}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <Empty card title="No deliveries">
              No event that matches these filters has been sent.
            </Empty>
          ) : (
            <DeliveryTable rows={deliveries} busy={resend.busy} onResend={resend.run} />
          )
        }
      </Pages>
    </>
  );
}

interface DeliveryTableProps {
  rows: readonly WebhookDelivery[];
  busy: boolean;
  onResend: (id: string) => void;
}

function DeliveryTable({ rows, busy, onResend }: DeliveryTableProps) {
  return (
    <Table
      label="Deliveries"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Time', show: ({ created_at }) => <Moment at={created_at} /> },
        { title: 'Event', wrap: true, show: ({ event }) => eventLabels[event] },
        { title: 'About', show: ({ subject }) => <ShortCode text={subject} /> },
        { title: 'To', wrap: true, show: ({ url }) => url },
        { title: 'State', wrap: true, show: (delivery) => <State of={delivery} /> },
        { title: 'Answer', wrap: true, show: (delivery) => answerWords(delivery) },
        {
          title: 'Change',
          show: ({ id, state, event, created_at }) =>
            state === 'pending' ? null : (
              <ForChanges>
                <Button
                  kind="plain"
                  disabled={busy}
                  label={`Send again: ${eventLabels[event]}, ${preciseWhen(created_at)}`}
                  onPress={() => onResend(id)}
                >
                  Send again
                </Button>
              </ForChanges>
            ),
        },
      ]}
    />
  );
}

function State({ of: { state, attempts, next_attempt_at } }: { of: WebhookDelivery }) {
  return (
    <div className="stack tight">
      <span>
        <Tag tone={tones[state]}>{state}</Tag>
      </span>
      {attempts > 1 ? <span className="small soft">{attempts} attempts</span> : null}
      {state === 'pending' && attempts > 0 && next_attempt_at !== null ? (
        <span className="small soft">Next attempt {when(next_attempt_at)}</span>
      ) : null}
    </div>
  );
}

function answerWords({ last_status, last_error }: WebhookDelivery): string {
  return last_error ?? (last_status === null ? 'None yet' : String(last_status));
}
