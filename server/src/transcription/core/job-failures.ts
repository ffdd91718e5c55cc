// Failures that the gateway itself decides: the deadline passed, or no result can arrive any more.
import type { AttemptStatus } from '@trivium/contract';
import type { Failure } from './submission.ts';

interface Unfinished {
  attempt_status: AttemptStatus;
  provider_job_id: string | null;
}

/** The failure of a job whose deadline passed. */
export function deadlineFailure(job: Unfinished, provider: string, transcribed: boolean): Failure {
  if (job.attempt_status === 'unknown') {
    return failure(
      'submission_unknown',
      `${provider} never confirmed the recording, and no trace of it was found there by the ` +
        'deadline. It was not sent again and nothing was charged; submit it anew if you need it.',
    );
  }
  if (job.attempt_status === 'waiting' && (transcribed || job.provider_job_id === null)) {
    const lost = transcribed
      ? `${provider} transcribed the recording, but its transcript did not arrive in time.`
      : `${provider} took the recording without naming it, and never called back.`;
    return failure('result_lost', `${lost} ${advice}`);
  }
  const reached =
    job.attempt_status === 'queued'
      ? `${provider} took no new work before the deadline.`
      : `${provider} took the recording, but did not finish it before the deadline.`;
  return failure(
    'deadline_exceeded',
    `${reached} Nothing was charged; submit it again, or ask another provider.`,
  );
}

/** The failure of a job whose provider can no longer call back. */
export function overdueFailure(provider: string): Failure {
  const lost =
    `${provider} took the recording, but its callback did not arrive in the time in which it ` +
    'can, and its records do not say why.';
  return failure('result_lost', `${lost} ${advice}`);
}

/** The vendor's failure with advice for the caller. */
export function advised(given: Failure): Failure {
  if (given.type !== 'audio_unreachable' && given.type !== 'provider_error') return given;
  const reason = /[.!?]$/.test(given.message) ? given.message : `${given.message}.`;
  const todo =
    given.type === 'audio_unreachable'
      ? 'Make sure that the address can be fetched from the internet without signing in, and ' +
        'submit it again.'
      : 'Check the recording and the options, or ask another provider.';
  return { ...given, message: `${reason} ${todo} Nothing was charged.` };
}

const advice = 'Nothing can be fetched later and nothing was charged; submit it again.';

function failure(type: Failure['type'], message: string): Failure {
  return { type, message, provider_status: null, provider_code: null, retryable: true };
}
