// The log of deliveries of webhooks, with filters; ended ones can be sent again.
import { useEffect } from 'react';
import type { DeliveryList, WebhookDelivery } from '@trivium/contract';
import { requestJson, withQuery } from '../api/http.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/use-load.ts';
import type { Loaded } from '../api/use-load.ts';
import { preciseWhen, when } from '../format.ts';
import { Await, Button, Empty, ErrorNote, Tag } from '../components/basics.tsx';
import type { Tone } from '../components/basics.tsx';
import { Filters, useFilters } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { Pager, usePaging } from '../components/pager.tsx';
import type { Paging } from '../components/pager.tsx';
import { Table } from '../components/table.tsx';
import { eventWords } from './webhook-words.ts';

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
  { name: 'event', label: 'Event', options: Object.entries(eventWords) },
];

interface Log {
  list: Loaded<DeliveryList>;
  paging: Paging;
}

/** Without an account, the deliveries of the whole gateway. */
export function useDeliveries(accountId: string | undefined): Log {
  const query = { account_id: accountId, ...useFilters(filters) };
  const paging = usePaging(withQuery('/admin/v1/webhooks/deliveries', query));
  const path = withQuery('/admin/v1/webhooks/deliveries', { ...query, cursor: paging.cursor });
  const list = useLoad(path, () => requestJson<DeliveryList>('GET', path));
  const { data, refresh } = list;
  useEffect(() => {
    const waitMs = untilNextAttempt(data?.deliveries ?? []);
    if (waitMs === undefined) return undefined;
    const timer = setTimeout(() => void refresh().catch(() => undefined), waitMs);
    return () => clearTimeout(timer);
    // Each answer decides when to look again.
  }, [data]);
  return { list, paging };
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

export function Deliveries({ list, paging }: Log) {
  const resend = useAction(async (id: string) => {
    const path = `/admin/v1/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`;
    await requestJson('POST', path);
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
      <Await of={list}>
        {({ deliveries, next_cursor, searched_until }) => (
          <>
            {deliveries.length === 0 ? (
              <div className="card">
                <Empty title="No deliveries">
                  No event that matches these filters has been sent.
                </Empty>
              </div>
            ) : (
              <DeliveryTable rows={deliveries} busy={resend.busy} onResend={resend.run} />
            )}
            <Pager paging={paging} next={next_cursor} searchedUntil={searched_until} />
          </>
        )}
      </Await>
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
        { title: 'Time', show: ({ created_at }) => preciseWhen(created_at) },
        { title: 'Event', show: ({ event }) => eventWords[event] },
        { title: 'About', wrap: true, show: ({ subject }) => <code>{subject}</code> },
        { title: 'To', wrap: true, show: ({ url }) => url },
        { title: 'State', show: (delivery) => <State of={delivery} /> },
        { title: 'Answer', wrap: true, show: (delivery) => answerWords(delivery) },
        { title: 'Attempts', right: true, show: ({ attempts }) => attempts },
        {
          title: 'Change',
          show: ({ id, state, event, created_at }) =>
            state === 'pending' ? null : (
              <Button
                kind="plain"
                disabled={busy}
                label={`Send again: ${eventWords[event]}, ${preciseWhen(created_at)}`}
                onPress={() => onResend(id)}
              >
                Send again
              </Button>
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
      {state === 'pending' && attempts > 0 && next_attempt_at !== null ? (
        <span className="small soft">Next attempt {when(next_attempt_at)}</span>
      ) : null}
    </div>
  );
}

function answerWords({ last_status, last_error }: WebhookDelivery): string {
  return last_error ?? (last_status === null ? 'None yet' : String(last_status));
}
