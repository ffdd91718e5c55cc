// The states a job's attempts went through, each with its time. They lie in the job's own row, so
// that the statement which changes a state also records it, and a deleted job leaves none behind.
import type { AttemptStatus } from '@trivium/contract';

export interface JobStep {
  at: number;
  attempt: number;
  attempt_status: AttemptStatus;
}

/** What is added to the column `steps`. */
export function stepText(at: number, attempt: number, attempt_status: AttemptStatus): string {
  return `${at} ${attempt} ${attempt_status};`;
}

/** From old to new. */
export function readSteps(text: string): JobStep[] {
  const steps = text.split(';').slice(0, -1);
  return steps.map((step) => {
    const [at, attempt, attempt_status] = step.split(' ');
    return {
      at: Number(at),
      attempt: Number(attempt),
      attempt_status: attempt_status as AttemptStatus,
    };
  });
}
