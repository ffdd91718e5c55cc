// One delivery: its payload, its address, and its attempts.
import type { DeliveryAttempt, DeliveryDetail } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useLoad } from '../api/data.ts';
import { ErrorNote, Facts, Tag } from '../components/basics.tsx';
import { Copy } from '../components/copy.tsx';
import { Detail } from '../components/panel.tsx';
import type { Neighbours } from '../components/panel.tsx';
import { milliseconds, preciseWhen } from '../format.ts';
import { Link } from '../shell/router.tsx';
import { StateTag } from './delivery-state.tsx';
import { eventLabels } from './webhook-labels.ts';

interface DeliveryPanelProps {
  id: string;
  onClose: () => void;
  neighbours: Neighbours;
}

export function DeliveryPanel({ id, onClose, neighbours }: DeliveryPanelProps) {
  const found = useLoad(['deliveries', id], async () => [await admin.webhooks.deliveries.get(id)]);
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
        <StateTag of={delivery} />
        <span>{eventLabels[event]}</span>
      </div>
      <ErrorNote error={last_error === null ? undefined : new Error(last_error)} />
      <Facts
        facts={[
          ['To', delivery.url],
          ['Attempts', String(delivery.attempts)],
          ...timeFacts(delivery),
          ['webhook-id', <code key="id">{delivery.event_id}</code>],
        ]}
      />
      <Attempts of={delivery.attempt_details} />
      <section className="stack tight">
        <h3>Payload</h3>
        {payload === null ? (
          <p className="soft">
            {subject.startsWith('job_') ? (
              <>
                The job, as it is when the delivery is sent:{' '}
                <Link to={`/jobs?job=${subject}`}>{subject}</Link>
              </>
            ) : (
              'The payload is built when the delivery is sent.'
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

/** The latest attempt is first, and expanded. */
function Attempts({ of: attempts }: { of: DeliveryDetail['attempt_details'] }) {
  if (attempts.length === 0) return null;
  return (
    <section className="stack tight">
      <h3>Attempts</h3>
      <ol className="stack tight" aria-label="Attempts">
        {attempts.toReversed().map((one, place) => (
          <li key={one.number}>
            <details open={place === 0}>
              <summary>
                {one.number}. <Tag tone={one.error === null ? 'good' : 'bad'}>{resultOf(one)}</Tag>{' '}
                <span className="numeric">{milliseconds(one.duration_ms)}</span>{' '}
                <span className="small soft">{preciseWhen(one.at)}</span>
              </summary>
              <AttemptFacts of={one} />
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

function resultOf({ status }: DeliveryAttempt): string {
  return status === null ? 'no answer' : String(status);
}

function AttemptFacts({ of: { error, status, response_body } }: { of: DeliveryAttempt }) {
  return (
    <div className="stack tight">
      {error === null ? null : <p className="small">{error}</p>}
      {response_body !== null ? (
        <pre className="code asked" tabIndex={0} aria-label="Receiver’s answer">
          {response_body}
        </pre>
      ) : status === null ? null : (
        <p className="small soft">
          The text of this answer is not kept. Answers from private networks are not read.
        </p>
      )}
    </div>
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
