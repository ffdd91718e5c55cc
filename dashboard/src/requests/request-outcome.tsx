// The outcome of a request. That of an accepted transcription is the outcome of its job.
import type { JobLine, RequestLine } from '@trivium/contract';
import { Tag } from '../components/basics.tsx';
import type { Tone } from '../components/basics.tsx';
import { OutcomeTag } from '../components/outcome.tsx';

/** The id of the job that a request started. */
export function jobIdOf({ outcome, answer_id }: RequestLine): string | undefined {
  return outcome === 'served' && answer_id?.startsWith('job_') ? answer_id : undefined;
}

const jobTags: Readonly<Record<JobLine['status'], readonly [Tone, string]>> = {
  queued: ['accent', 'In progress'],
  running: ['accent', 'In progress'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Job failed'],
};

interface RequestOutcomeProps {
  of: RequestLine;
  /** Its job, as far as it is known. */
  job: JobLine | undefined;
}

export function RequestOutcome({ of: request, job }: RequestOutcomeProps) {
  if (jobIdOf(request) === undefined) return <OutcomeTag of={request} />;
  const [tone, words] = job ? jobTags[job.status] : (['quiet', 'Accepted'] as const);
  return (
    <Tag tone={tone}>
      {words} {request.status}
    </Tag>
  );
}
