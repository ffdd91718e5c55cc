// One delivery: what it sends, where to, and how its attempts went.
import type { DeliveryDetail } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/use-load.ts';
import { ErrorNote, Facts, Tag } from '../components/basics.tsx';
import { Copy } from '../components/copy.tsx';
import { Detail } from '../components/panel.tsx';
import type { Neighbours } from '../components/panel.tsx';
import { preciseWhen } from '../format.ts';
import { Link } from '../shell/router.tsx';
import { eventLabels, toneOf } from './webhook-labels.ts';

interface DeliveryPanelProps {
  id: string;
  onClose: () => void;
  neighbours: Neighbours;
}

export function DeliveryPanel({ id, onClose, neighbours }: DeliveryPanelProps) {
  const found = useLoad(id, async () => [await admin.webhooks.deliveries.get(id)]);
  return (
    <Detail
      title="Delivery"
      of={found}
      missing="It belongs to another account, or it was deleted."
      onClose={onClose}
      neighbours={neighbours}
    >
      {(delivery) => <DeliveryFacts of={delivery} />}
    </Detail>
  );
}

function DeliveryFacts({ of: delivery }: { of: DeliveryDetail }) {
  const { payload, event, subject, last_error } = delivery;
  return (
    <>
      <div className="row">
        <Tag tone={toneOf(delivery)}>{delivery.state}</Tag>
        <span>{eventLabels[event]}</span>
      </div>
      <ErrorNote error={last_error === null ? undefined : new Error(last_error)} />
      <Facts
        facts={[
          ['To', delivery.url],
          ['Attempts', String(delivery.attempts)],
          ['Latest answer', delivery.last_status === null ? 'None' : String(delivery.last_status)],
          ...timeFacts(delivery),
          ['webhook-id', <code key="id">{delivery.event_id}</code>],
        ]}
      />
      <section className="stack tight">
        <h3>Payload</h3>
        {payload === null ? (
          <p className="soft">
            {subject.startsWith('job_') ? (
              <>
                The job as it is when it is sent: <Link to={`/jobs?job=${subject}`}>{subject}</Link>
              </>
            ) : (
              'It is put together when it is sent.'
            )}
          </p>
        ) : (
          <>
            <pre className="code asked">{JSON.stringify(payload, null, 2)}</pre>
            <div>
              <Copy text={JSON.stringify(payload)} />
            </div>
          </>
        )}
      </section>
    </>
  );
}

function timeFacts(delivery: DeliveryDetail) {
  const times = [
    ['Happened', delivery.created_at],
    ['Latest attempt', delivery.last_attempt_at],
    ['Next attempt', delivery.next_attempt_at],
    ['Ended', delivery.finished_at],
  ] as const;
  return times.flatMap(([name, at]) => (at === null ? [] : [[name, preciseWhen(at)] as const]));
}
