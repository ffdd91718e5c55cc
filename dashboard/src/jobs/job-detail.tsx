// One job: its error if it failed, its transcript beside its recording, its timeline and its facts.
import { useState } from 'react';
import type { Job, JobLine, JobStep } from '@trivium/contract';
import { admin, gatewayClientFor } from '../api/clients.ts';
import { saveFile } from '../api/save-file.ts';
import { useLoad } from '../api/data.ts';
import { clockTime, exactUsd, milliseconds, preciseWhen } from '../format.ts';
import { Await, Button, ErrorNote, Facts, Skeleton } from '../components/basics.tsx';
import { Icon } from '../components/icon.tsx';
import { Detail } from '../components/panel.tsx';
import { playableAt } from '../playground/share.ts';
import { Simulated } from '../components/simulated.tsx';
import { TranscriptView } from '../playground/transcript.tsx';
import { useSession } from '../shell/session.tsx';
import { useJob } from './use-job.ts';

export interface JobNames {
  key: (id: string) => string;
  provider: (id: string) => string;
}

interface JobDetailProps {
  id: string;
  names: JobNames;
  onClose: () => void;
}

export function JobDetail({ id, names, onClose }: JobDetailProps) {
  const found = useJob(id);
  return (
    <Detail
      title="Job"
      of={found}
      missing="It belongs to another account, or it was deleted after seven days."
      onClose={onClose}
    >
      {(job) => <JobFacts job={job} names={names} />}
    </Detail>
  );
}

function JobFacts({ job, names }: { job: JobLine; names: JobNames }) {
  const { error } = job;
  return (
    <>
      <ErrorNote error={error ? new Error(`${error.type}: ${error.message}`) : undefined} />
      <Gaps job={job} />
      {job.status === 'completed' ? <Words id={job.id} /> : null}
      <Steps steps={job.steps} />
      <Facts
        facts={[
          ['Id', <code key="id">{job.id}</code>],
          [
            'Provider',
            <span key="provider">
              {`${names.provider(job.provider)}, ${job.model}`} <Simulated of={job} />
            </span>,
          ],
          ['Provider job id', <code key="own">{job.provider_job_id ?? 'none yet'}</code>],
          ['Recording', job.file_name ?? 'without a name'],
          ['Host', job.audio_host ?? 'unknown'],
          ['Length', job.duration_seconds === null ? 'unknown' : clockTime(job.duration_seconds)],
          ['Key', names.key(job.key_id)],
          ['Charged', exactUsd(job.cost_usd)],
          ['Deadline', preciseWhen(job.deadline_at)],
        ]}
      />
      {job.has_raw ? <RawLink id={job.id} /> : null}
    </>
  );
}

const stepLabels: Readonly<Record<JobStep['attempt_status'], string>> = {
  queued: 'Queued for another attempt',
  submitting: 'Submitting to the provider',
  waiting: 'The provider is working',
  unknown: 'Checking whether the provider accepted the job',
  completed: 'Transcript ready',
  failed: 'Failed',
};

function Steps({ steps }: { steps: readonly JobStep[] }) {
  const began = Date.parse(steps[0]?.at ?? '');
  return (
    <ol className="timeline" aria-label="Timeline">
      {steps.map((step, place) => (
        <li
          key={`${step.at} ${step.attempt_status}`}
          className={toneOf(step, place === steps.length - 1)}
        >
          <span>
            {place === 0 ? 'Accepted and recorded' : stepLabels[step.attempt_status]}{' '}
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

/** An incomplete transcript is still charged. */
function Gaps({ job: { ends_early: early, unread_words: unread } }: { job: JobLine }) {
  if (!early && unread === 0) return null;
  return (
    <div className="note warn" role="status">
      {early ? (
        <p>
          The last word ends after {clockTime(early.heard_seconds)} of{' '}
          {clockTime(early.duration_seconds)}. The rest may be silent or missing.
        </p>
      ) : null}
      {unread > 0 ? (
        <p>The provider reported {unread} words incompletely. They are left out.</p>
      ) : null}
    </div>
  );
}

/** A plain link cannot send the account, so the document is fetched and saved. */
function RawLink({ id }: { id: string }) {
  const { account } = useSession();
  const [failure, setFailure] = useState<Error>();
  const save = async () => {
    const { client } = gatewayClientFor(account.id);
    const { text = '' } = await client.jobs.raw(id).withResponse();
    saveFile(text, `${id}.json`, 'application/json');
  };
  return (
    <>
      <Button
        kind="plain"
        onPress={() => {
          save().then(
            () => setFailure(undefined),
            (error: unknown) => setFailure(error as Error),
          );
        }}
      >
        <Icon name="download" /> Provider’s document
      </Button>
      <ErrorNote error={failure} />
    </>
  );
}

/** The transcript beside the recording, if there is still one to play. */
function Words({ id }: { id: string }) {
  const { account } = useSession();
  const job = useLoad<Job>(['job', id], () => gatewayClientFor(account.id).client.jobs.get(id));
  const recording = useLoad(['recording', id, account.id], () =>
    admin.jobs.recording(id, { account_id: account.id }),
  );
  const { audio_url: url = null, withheld = false } = recording.data ?? {};
  const isKnown = recording.data !== undefined || recording.error !== undefined;
  return (
    <Await of={job}>
      {({ result }) =>
        result && isKnown ? (
          <TranscriptView
            transcript={result}
            source={url === null ? undefined : playableAt(url)}
            withheld={withheld}
          />
        ) : (
          <Skeleton />
        )
      }
    </Await>
  );
}
