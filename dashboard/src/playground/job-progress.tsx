// The progress of a job, as a list of its steps. Its error is shown above the response.
import type { Job } from '@trivium/contract';
import { preciseWhen } from '../format.ts';

const steps: readonly (readonly [string, string])[] = [
  ['queued', 'Accepted and recorded'],
  ['submitting', 'Submitting to the provider'],
  ['waiting', 'The provider is working'],
  ['completed', 'Transcript ready'],
];

export function JobProgress({ job }: { job: Job }) {
  const { attempt_status, status, created_at, updated_at, finished_at } = job;
  const reached = steps.findIndex(([name]) => name === attempt_status);
  return (
    <div className="stack tight">
      <ol className="timeline" aria-label="Progress of the job">
        {steps.map(([name, words], at) => (
          <li key={name} className={classOf(at, reached, status)}>
            <span>{words}</span>
            <span className="small soft">{timeOf(at, reached, { created_at, updated_at })}</span>
          </li>
        ))}
        {attempt_status === 'unknown' ? (
          <li className="now">
            <span>Checking whether the provider accepted the job.</span>
          </li>
        ) : null}
        {status === 'failed' ? (
          <li className="failed">
            <span>Failed</span>
            <span className="small soft">
              {finished_at === null ? '' : preciseWhen(finished_at)}
            </span>
          </li>
        ) : null}
      </ol>
    </div>
  );
}

function classOf(at: number, reached: number, status: string): string {
  if (status === 'completed' || at < reached) return 'done';
  return at === reached && status !== 'failed' ? 'now' : '';
}

function timeOf(
  at: number,
  reached: number,
  job: { created_at: string; updated_at: string },
): string {
  if (at === 0) return preciseWhen(job.created_at);
  return at === reached ? preciseWhen(job.updated_at) : '';
}
