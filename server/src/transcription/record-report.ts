// Records what a provider reported about a job: turns it into an event for the state machine, or
// settles the job with its transcript.
import { GatewayError } from '@trivium/contract';
import type { JobEvent } from './core/job.ts';
import { advised } from './core/job-failures.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import type { JobRow } from './store/jobs.ts';
import type { JobContext } from './job-context.ts';
import type { JobTransitions } from './job-transitions.ts';
import type { ProviderReport } from './read-transcript.ts';

/** One round of work on a claimed job. */
export interface Round {
  context: JobContext;
  transitions: JobTransitions;
  job: JobRow;
  /** The callbacks that this round has read and that contained no transcript. */
  readCallbackIds: string[];
  /** Callbacks that could not be read. While there is one, only the deadline fails the job. */
  keptCallbackIds: string[];
}

/** `job` is at the attempt that the answer belongs to. True if the job moved. */
export async function recordReport(
  round: Round,
  job: JobRow,
  report: ProviderReport,
): Promise<boolean> {
  if (report.kind === 'done') {
    return round.transitions.complete(job, report);
  }
  return recordEvent(round, job, eventOf(job, report));
}

function eventOf(job: JobRow, report: Exclude<ProviderReport, { kind: 'done' }>): JobEvent {
  const { attempt } = job;
  switch (report.kind) {
    case 'accepted':
    case 'refused':
    case 'unknown':
      return { kind: 'submitted', attempt, outcome: report };
    case 'failed':
      return { kind: 'failed', attempt, failure: advised(report.failure) };
    case 'running':
      return { kind: 'still_running', attempt };
    case 'trouble': {
      const { retry_after_ms, reason } = report;
      return {
        kind: 'still_running',
        attempt,
        unanswered: reason,
        ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
      };
    }
    case 'hint': {
      const { provider_job_id } = report;
      return {
        kind: 'hinted',
        attempt,
        ...(provider_job_id === undefined ? {} : { provider_job_id }),
      };
    }
    case 'nothing':
      return { kind: 'not_found', attempt };
  }
}

/** True if the job moved. */
export function recordEvent(
  { transitions, readCallbackIds }: Round,
  job: JobRow,
  event: JobEvent,
): Promise<boolean> {
  return transitions.apply(job, event, readCallbackIds);
}

/** A failure of the store says nothing about the job, so the job must not move because of it. */
export function isStoreTrouble(error: unknown): boolean {
  return error instanceof GatewayError || storeTrouble(error) !== undefined;
}
