// Failures that the gateway itself decides: the deadline passed, or no result can arrive any more.
import type { AttemptStatus } from '@trivium/contract';
import type { Failure } from './submission.ts';

interface Unfinished {
  attempt: number;
  attempt_status: AttemptStatus;
  provider_job_id: string | null;
}

/** The result of the last question to the provider. */
export interface Answered {
  /** The provider has finished, and only its callback is outstanding. */
  transcribed?: true;
  /** Why the provider was not asked or did not answer. */
  unanswered?: string;
}

/** The failure of a job whose deadline passed. It states nothing that the provider did not say. */
export function deadlineFailure(
  job: Unfinished,
  provider: string,
  { transcribed, unanswered }: Answered = {},
): Failure {
  if (job.attempt_status === 'unknown' || job.attempt_status === 'submitting') {
    const wasLookedUp = job.attempt_status === 'unknown' && unanswered === undefined;
    const trace = wasLookedUp
      ? 'no trace of it was found there by the deadline'
      : `it could not be looked up there by the deadline: ${unanswered ?? 'it was still being sent'}`;
    return gatewayFailure(
      'submission_unknown',
      `${provider} never confirmed the recording, and ${trace}. It was not sent again, and ` +
        'nothing was charged. Submit it again if you need it.',
    );
  }
  const isWaiting = job.attempt_status === 'waiting';
  if (isWaiting && (transcribed || job.provider_job_id === null)) {
    const lost = transcribed
      ? `${provider} transcribed the recording, but its transcript did not arrive in time.`
      : `${provider} accepted the recording without returning an id, and never called back.`;
    return gatewayFailure('result_lost', `${lost} ${advice}`);
  }
  const reached = isWaiting ? unfinished(provider, unanswered) : unsent(job, provider, unanswered);
  return gatewayFailure(
    'deadline_exceeded',
    `${reached} Nothing was charged. Submit it again, or choose another provider.`,
  );
}

function unfinished(provider: string, unanswered: string | undefined): string {
  return unanswered === undefined
    ? `${provider} accepted the recording, but did not finish it before the deadline.`
    : `${provider} accepted the recording, but the gateway could not ask for its transcript ` +
        `before the deadline: ${unanswered}.`;
}

/** A later attempt follows an attempt that was refused or did not reach the provider. */
function unsent({ attempt }: Unfinished, provider: string, unanswered: string | undefined): string {
  if (unanswered !== undefined) {
    return `The recording was not sent to ${provider} before the deadline: ${unanswered}.`;
  }
  return attempt > 1
    ? `${provider} accepted no new work before the deadline: no attempt reached it, or it refused.`
    : `The recording was not sent to ${provider} before the deadline: other work came first.`;
}

/** The failure of a job whose provider can no longer call back, or answer the interrupted call. */
export function overdueFailure(
  { attempt_status }: Pick<Unfinished, 'attempt_status'>,
  provider: string,
  isCalledBack: boolean,
  unanswered?: string,
): Failure {
  const isAccepted = attempt_status === 'waiting';
  const lost = isCalledBack
    ? 'its callback did not arrive in time'
    : 'the connection on which it answers was lost';
  const records =
    unanswered === undefined
      ? `its records do not ${isAccepted ? 'say why' : 'show the recording'}`
      : `its records could not be read: ${unanswered}`;
  if (isAccepted) {
    const message = `${provider} accepted the recording, but ${lost}, and ${records}.`;
    return gatewayFailure('result_lost', `${message} ${advice}`);
  }
  return gatewayFailure(
    'submission_unknown',
    `${provider} never confirmed the recording: ${lost}, and ${records}. It was not sent again, ` +
      'and nothing was charged. Submit it again if you need it.',
  );
}

/** Why the provider failed a job. Undefined if the recording or the options were refused. */
export function faultOfProvider({ type, provider_status: status }: Failure): string | undefined {
  if (type === 'audio_unreachable') return undefined;
  if (type !== 'provider_error') return type.replaceAll('_', ' ');
  const isRefusal = status !== null && status < 500 && !refusalsOfAll.includes(status);
  return isRefusal ? undefined : status === null ? 'failed jobs' : `status ${status}`;
}

/** A provider with these statuses refuses every job: credential, credit or rate limit. */
const refusalsOfAll: readonly number[] = [401, 402, 403, 429];

/** The vendor's failure, with advice for the caller. */
export function advised(given: Failure): Failure {
  if (given.type !== 'audio_unreachable' && given.type !== 'provider_error') return given;
  const reason = /[.!?]$/.test(given.message) ? given.message : `${given.message}.`;
  const todo =
    given.type === 'audio_unreachable'
      ? 'Make sure that the address can be fetched from the internet without signing in, and ' +
        'submit it again.'
      : 'Check the recording and the options, or choose another provider.';
  return { ...given, message: `${reason} ${todo} Nothing was charged.` };
}

const advice = 'The transcript cannot be fetched later, and nothing was charged. Submit it again.';

/** A failure about which the provider said nothing. */
export function gatewayFailure(type: Failure['type'], message: string, retryable = true): Failure {
  return { type, message, provider_status: null, provider_code: null, retryable };
}
