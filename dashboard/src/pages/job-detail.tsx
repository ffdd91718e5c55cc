// One job: what happened when, why it failed if it did, and its transcript.
import type { Job, JobLine } from '@trivium/contract';
import { talkFor } from '../api/http.ts';
import { useLoad } from '../api/use-load.ts';
import { preciseWhen, usd } from '../format.ts';
import { Await, Button, ErrorNote } from '../parts/basics.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { TranscriptView } from '../playground/transcript.tsx';
import { useSession } from '../shell/session.tsx';

interface JobDetailProps {
  line: JobLine;
  provider: string;
  made_by: string;
  onClose: () => void;
}

export function JobDetail({ line, provider, made_by, onClose }: JobDetailProps) {
  const { error } = line;
  return (
    <Dialog title="One job" onClose={onClose} wide>
      <Steps line={line} />
      <ErrorNote error={error ? new Error(`${error.type}: ${error.message}`) : undefined} />
      <Facts
        facts={[
          ['Id', <code key="id">{line.id}</code>],
          ['Provider', `${provider}, ${line.model}`],
          ['Provider’s own id', <code key="own">{line.provider_job_id ?? 'none yet'}</code>],
          ['Recording on', line.audio_host],
          ['Key', made_by],
          ['Attempt', `${line.attempt}, ${line.attempt_status}`],
          ['Charged', usd(line.cost_usd)],
          ['Deadline', preciseWhen(line.deadline_at)],
        ]}
      />
      {line.status === 'completed' ? <Words id={line.id} /> : null}
      <div className="row">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function Steps({ line }: { line: JobLine }) {
  const { attempt, attempt_status, submitted_at, updated_at, finished_at, status } = line;
  const under_way = status === 'queued' || status === 'running';
  const steps: (readonly [kind: string, words: string, at: string | null])[] = [
    ['done', 'Accepted and recorded', line.created_at],
    ...(attempt > 1
      ? [['done', `${attempt - 1} refused for now, asked again`, null] as const]
      : []),
    ...(submitted_at === null
      ? []
      : [['done', `Handed to the provider, attempt ${attempt}`, submitted_at] as const]),
    ...(under_way ? [['now', `Now ${attempt_status}`, updated_at] as const] : []),
    ...(status === 'completed' ? [['done', 'Transcript is here', finished_at] as const] : []),
    ...(status === 'failed' ? [['failed', 'Failed', finished_at] as const] : []),
  ];
  return (
    <ol className="timeline" aria-label="What happened when">
      {steps.map(([kind, words, at]) => (
        <li key={words} className={kind}>
          <span>{words}</span>
          <span className="small soft">{at === null ? '' : preciseWhen(at)}</span>
        </li>
      ))}
    </ol>
  );
}

function Words({ id }: { id: string }) {
  const { account } = useSession();
  const job = useLoad<Job>(id, () => talkFor(account.id).client.jobs.get(id));
  return (
    <Await of={job}>
      {({ result }) => (result ? <TranscriptView transcript={result} audio_url="" /> : null)}
    </Await>
  );
}
