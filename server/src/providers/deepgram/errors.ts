// Deepgram's error answers: two JSON formats and plain text. Each of them ends up in the job's
// error.
import { z } from 'zod';
import type { Reply } from '../../upstream/core/index.ts';
import type { Failure } from '../../transcription/core/index.ts';
import { filled } from '../shared/text.ts';

const maxReasonChars = 500;
const Text = z.string().nullish().catch(undefined);
const Trouble = z.object({
  // The older format.
  err_code: Text,
  err_msg: Text,
  // The newer format.
  category: Text,
  message: Text,
  details: Text,
  error: Text,
});

/** An answer that is not JSON, or has no reason in its body, is still reported. */
export function saidBy({ body, text, headers }: Reply): unknown {
  return body ?? filled(text) ?? filled(headers.get('dg-error'));
}

export function reasonIn(said: unknown): string {
  return troubleIn(said).text;
}

export function failureIn(said: unknown, status: number | null): Failure {
  const { code, text } = troubleIn(said);
  const unreachable = code === 'REMOTE_CONTENT_ERROR';
  return {
    type: unreachable ? 'audio_unreachable' : 'provider_error',
    message: `stt_b could not transcribe the recording: ${text}`,
    provider_status: status,
    provider_code: code,
    retryable: unreachable,
  };
}

function troubleIn(said: unknown): { code: string | null; text: string } {
  const data = Trouble.safeParse(said).data;
  const code = filled(data?.err_code) ?? filled(data?.category) ?? null;
  const reported = filled(data?.err_msg) ?? filled(data?.message) ?? filled(data?.error);
  const details = filled(data?.details);
  const reason =
    reported && details ? `${reported} (${details})` : (reported ?? details ?? plainReason(said));
  return { code, text: reason.slice(0, maxReasonChars) };
}

/** An HTML page comes from an intermediary, and explains nothing. */
function plainReason(said: unknown): string {
  const text = typeof said === 'string' ? said.trim() : JSON.stringify(said ?? '');
  return text === '""' || text === '{}' || text === '' || text.startsWith('<')
    ? 'no reason was given'
    : text;
}
