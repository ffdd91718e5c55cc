// The history of a job's attempts: each state with its time. It is a column of the job's row, so
// that the statement that changes a state also records it.
import type { AttemptStatus } from '@trivium/contract';

export interface JobStep {
  at: number;
  attempt: number;
  attempt_status: AttemptStatus;
}

/** The text to append to the column `steps`. */
export function stepText(at: number, attempt: number, attemptStatus: AttemptStatus): string {
  return `${at} ${attempt} ${attemptStatus};`;
}

/** Oldest first. */
export function readSteps(text: string): JobStep[] {
  const steps = text.split(';').slice(0, -1);
  return steps.map((step) => {
    const [at, attempt, attemptStatus] = step.split(' ');
    return {
      at: Number(at),
      attempt: Number(attempt),
      attempt_status: attemptStatus as AttemptStatus,
    };
  });
}
