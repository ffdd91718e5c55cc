// The log of webhook deliveries, with filters. Finished deliveries can be sent again.
import { Suspense, useEffect, useState } from 'react';
import type { DeliveryList, Webhook, WebhookDelivery } from '@trivium/contract';
import type { DeliveryFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/data.ts';
import { useAction } from '../api/use-action.ts';
import { preciseWhen, when } from '../format.ts';
import { Button, ErrorNote, Moment, ShortCode } from '../components/basics.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { Filters, useFilters } from '../components/filters.tsx';
import type { Filter } from '../components/filters.tsx';
import { neighboursOf } from '../components/panel.tsx';
import { Pages, usePagedList } from '../components/pager.tsx';
import type { PagedList } from '../components/pager.tsx';
import { SavedViews } from '../components/saved-views.tsx';
import { Table } from '../components/table.tsx';
import { lazyPage } from '../shell/lazy-page.ts';
import { closeDetail, openDetail, useLocation } from '../shell/router.tsx';
import { ForChanges } from '../shell/session.tsx';
import { StateTag } from './delivery-state.tsx';
import { eventLabels, stateLabels } from './webhook-labels.ts';

/** From so many deliveries, the health of the endpoints is derived. */
const latestCount = 500;

const filtersFor = (webhooks: readonly Webhook[]): readonly Filter[] => [
  { name: 'webhook_id', label: 'Endpoint', options: webhooks.map(({ id, url }) => [id, url]) },
  { name: 'state', label: 'State', options: Object.entries(stateLabels) },
  { name: 'event', label: 'Event', options: Object.entries(eventLabels) },
];

/** Without an account, the deliveries of the whole gateway. */
export function useDeliveries(accountId: string | undefined) {
  const query = { account_id: accountId, limit: latestCount };
  const latest = useLoad(['deliveries', 'latest', query], () =>
    admin.webhooks.deliveries.list(query),
  );
  const again = latest.reload;
  const deliveries = usePagedList('deliveries', admin.webhooks.deliveries.list, {
    account_id: accountId,
    ...useFilters<DeliveryFilters>(filtersFor([])),
  });
  const { data, reload } = deliveries.list;
  useEffect(() => {
    const waitMs = untilNextAttempt(data?.deliveries ?? []);
    if (waitMs === undefined) return undefined;
    const timer = setTimeout(() => {
      reload();
      again();
    }, waitMs);
    return () => clearTimeout(timer);
  }, [data, reload, again]);
  return { ...deliveries, latest: latest.data?.deliveries ?? [] };
}

const soonestMs = 1000;
const latestMs = 30_000;

/** Undefined when no delivery on the page is waiting to be sent. */
function untilNextAttempt(deliveries: readonly WebhookDelivery[]): number | undefined {
  const due = deliveries.flatMap(({ next_attempt_at }) =>
    next_attempt_at === null ? [] : [Date.parse(next_attempt_at) - Date.now()],
  );
  if (due.length === 0) return undefined;
  return Math.min(Math.max(Math.min(...due), soonestMs), latestMs);
}

interface DeliveriesProps {
  of: PagedList<DeliveryList>;
  webhooks: readonly Webhook[];
}

export function Deliveries({ of, webhooks }: DeliveriesProps) {
  const { list } = of;
  const filters = filtersFor(webhooks);
  const open = useLocation().query.get('delivery');
  const [sent, setSent] = useState<readonly string[]>([]);
  const resend = useAction(async (ids: readonly string[]) => {
    setSent([]);
    for (const id of ids) await admin.webhooks.deliveries.redeliver(id);
  }, setSent);
  const failed = (list.data?.deliveries ?? []).filter(({ state }) => state === 'failed');
  return (
    <>
      <div className="row apart">
        <h2>Deliveries</h2>
        <div className="row">
          {failed.length < 2 ? null : (
            <ForChanges>
              <Button busy={resend.busy} onPress={() => resend.run(failed.map(({ id }) => id))}>
                {`Send the ${failed.length} failed ones again`}
              </Button>
            </ForChanges>
          )}
          <Button busy={list.loading} onPress={list.reload}>
            Refresh
          </Button>
        </div>
      </div>
      <Filters filters={filters}>
        <SavedViews page="/webhooks" />
      </Filters>
      <ErrorNote error={resend.error} />
      <div role="status">
        {sent.length === 0 ? null : <p className="note good">{sentAgain(sent)}</p>}
      </div>
      <Pages of={of}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <EmptyList of={['delivery', 'deliveries']} filters={filters}>
              Deliveries appear here as soon as an event is sent to an endpoint.
            </EmptyList>
          ) : (
            <DeliveryTable
              rows={deliveries}
              open={open}
              busy={resend.busy}
              onResend={(id) => resend.run([id])}
            />
          )
        }
      </Pages>
      {open === null ? null : (
        <Suspense>
          <DeliveryPanel
            id={open}
            onClose={() => closeDetail('delivery')}
            neighbours={neighboursOf(list.data?.deliveries.map(({ id }) => id) ?? [], open, (id) =>
              openDetail('delivery', id),
            )}
          />
        </Suspense>
      )}
    </>
  );
}

function sentAgain(ids: readonly string[]): string {
  return ids.length === 1 ? `${ids[0]} is sent again.` : `${ids.length} deliveries are sent again.`;
}

const DeliveryPanel = lazyPage(async () => (await import('./webhook-delivery.tsx')).DeliveryPanel);

interface DeliveryTableProps {
  open: string | null;
  rows: readonly WebhookDelivery[];
  busy: boolean;
  onResend: (id: string) => void;
}

function DeliveryTable({ rows, open, busy, onResend }: DeliveryTableProps) {
  return (
    <Table
      label="Deliveries"
      rows={rows}
      keyOf={({ id }) => id}
      selected={open}
      onOpen={({ id }) => openDetail('delivery', id)}
      columns={[
        {
          title: 'Time',
          line: 2,
          show: ({ created_at }, brief) => <Moment at={created_at} brief={brief} />,
        },
        { title: 'Event', line: 1, wrap: true, show: ({ event }) => eventLabels[event] },
        { title: 'About', line: 2, show: ({ subject }) => <ShortCode text={subject} /> },
        { title: 'To', wrap: true, show: ({ url }) => url },
        { title: 'State', line: 1, show: (delivery) => <State of={delivery} /> },
        { title: 'Answer', wrap: true, show: (delivery) => answerWords(delivery) },
        {
          title: 'Actions',
          line: 2,
          changes: true,
          show: ({ id, state, attempts, event, created_at }) =>
            // A delivery is about to be sent anyway before its first attempt.
            state === 'pending' && attempts === 0 ? null : (
              <ForChanges>
                <Button
                  kind="plain"
                  disabled={busy}
                  label={`Send again: ${eventLabels[event]}, ${preciseWhen(created_at)}`}
                  onPress={(click) => {
                    click.stopPropagation();
                    onResend(id);
                  }}
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
        <StateTag of={{ state, attempts }} />
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
