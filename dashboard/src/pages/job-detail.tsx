// One job: what happened when, why it failed if it did, and its transcript.
import { useEffect } from 'react';
import type { Job, JobLine, JobList, JobStep } from '@trivium/contract';
import { ask, talkFor, withQuery } from '../api/http.ts';
import { useLoad } from '../api/use-load.ts';
import { milliseconds, preciseWhen, usd } from '../format.ts';
import { Await, Button, Empty, ErrorNote } from '../parts/basics.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { TranscriptView } from '../playground/transcript.tsx';
import { useSession } from '../shell/session.tsx';

interface Names {
  key: (id: string) => string;
  provider: (id: string) => string;
}

interface JobDetailProps {
  id: string;
  names: Names;
  onClose: () => void;
}

const look_again_ms = 2000;

export function JobDetail({ id, names, onClose }: JobDetailProps) {
  const { account } = useSession();
  const path = withQuery('/admin/v1/jobs', { account_id: account.id, id });
  const found = useLoad(path, () => ask<JobList>('GET', path));
  const [line] = found.data?.jobs ?? [];
  const under_way = line?.finished_at === null;
  useEffect(() => {
    if (!under_way || found.loading) return undefined;
    const timer = setTimeout(found.reload, look_again_ms);
    return () => clearTimeout(timer);
  }, [under_way, found.loading, found.reload]);
  return (
    <Dialog title="One job" onClose={onClose} wide>
      <Await of={found}>
        {({ jobs: [job] }) =>
          job ? (
            <Story job={job} names={names} />
          ) : (
            <Empty title="There is no such job">
              It may belong to another account, or have been kept for its seven days.
            </Empty>
          )
        }
      </Await>
      <div className="row">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function Story({ job, names }: { job: JobLine; names: Names }) {
  const { error } = job;
  return (
    <>
      <Steps steps={job.steps} />
      <ErrorNote error={error ? new Error(`${error.type}: ${error.message}`) : undefined} />
      <Facts
        facts={[
          ['Id', <code key="id">{job.id}</code>],
          ['Provider', `${names.provider(job.provider)}, ${job.model}`],
          ['Provider’s own id', <code key="own">{job.provider_job_id ?? 'none yet'}</code>],
          ['Recording on', job.audio_host],
          ['Key', names.key(job.key_id)],
          ['Charged', usd(job.cost_usd)],
          ['Deadline', preciseWhen(job.deadline_at)],
        ]}
      />
      {job.status === 'completed' ? <Words id={job.id} /> : null}
    </>
  );
}

const words: Readonly<Record<JobStep['attempt_status'], string>> = {
  queued: 'Put back, to be tried again later',
  submitting: 'Being handed to the provider',
  waiting: 'The provider has it',
  unknown: 'Uncertain whether the provider took it; this is being found out',
  completed: 'Transcript is here',
  failed: 'Failed',
};

function Steps({ steps }: { steps: readonly JobStep[] }) {
  const began = Date.parse(steps[0]?.at ?? '');
  return (
    <ol className="timeline" aria-label="What happened when">
      {steps.map((step, place) => (
        <li
          key={`${step.at} ${step.attempt_status}`}
          className={toneOf(step, place === steps.length - 1)}
        >
          <span>
            {place === 0 ? 'Accepted and recorded' : words[step.attempt_status]}{' '}
            <span className="small soft">
              attempt {step.attempt}, {step.attempt_status}
            </span>
          </span>
          <time className="small soft" dateTime={step.at}>
            {preciseWhen(step.at)}
            {place === 0 ? '' : `, after ${milliseconds(Date.parse(step.at) - began)}`}
          </time>
        </li>
      ))}
    </ol>
  );
}

function toneOf({ attempt_status }: JobStep, last: boolean): string {
  if (attempt_status === 'failed') return 'failed';
  return last && attempt_status !== 'completed' ? 'now' : 'done';
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
