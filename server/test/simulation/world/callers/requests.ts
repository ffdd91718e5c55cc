// What is sent for a wish, and what its answer says about it.
import { subjectOf } from './caller.ts';
import type { Caller, Wish } from './caller.ts';
import { formOf } from './recordings.ts';
import { adminToken } from '../environment.ts';
import type { Answer, Ask } from '../network.ts';

export function requestOf({ tenant }: Caller, wish: Wish): Ask {
  if (wish.change) {
    const { path, method, body } = wish.change;
    return { path, method, key: adminToken, ...(body ? { body } : {}) };
  }
  if (wish.kind === 'search') return searchOf(wish);
  if (wish.kind === 'extract') {
    const { provider = 'engine_a' } = wish;
    // The shortest limit that a caller can set: nearly all of the time is spent in queues.
    const limit = provider === 'auto' ? { timeout_ms: 1000 } : {};
    const page = `https://example.org/${subjectOf(wish)}`;
    const urls = Array.from({ length: wish.pages ?? 1 }, (_, at) => (at ? page + at : page));
    return { path: '/v1/extract', key: '', body: { urls, provider, ...limit }, ...tagsOf(wish) };
  }
  if (wish.kind === 'topup' || wish.kind === 'adjust') {
    const body = { amount_usd: (wish.amount ?? 0) / 1_000_000, reason: wish.id };
    const place = wish.kind === 'topup' ? 'topups' : 'adjustments';
    return { path: `/admin/v1/accounts/${tenant.accountId}/${place}`, key: adminToken, body };
  }
  if (wish.kind === 'refund') {
    const body = {
      request_id: wish.of,
      amount_usd: (wish.amount ?? 0) / 1_000_000,
      reason: wish.id,
    };
    return { path: `/admin/v1/accounts/${tenant.accountId}/refunds`, key: adminToken, body };
  }
  const provider = providerOf(wish);
  const headers = { 'x-trivium-webhook': `https://hooks.example/${wish.id}` };
  if (wish.isForm) return formOf(wish, String(provider), headers);
  const audio = wish.upload?.audio_url ?? `https://example.org/${subjectOf(wish)}.wav`;
  return { path: '/v1/transcriptions', key: '', body: { audio_url: audio, provider }, headers };
}

export function searchOf(wish: Wish): Ask {
  const { provider = 'engine_a' } = wish;
  const panel = { provider_options: { fusion: { providers: engines, timeout_ms: 5000 } } };
  const body = {
    ...{ query: subjectOf(wish), provider },
    ...(provider === 'fusion' ? panel : {}),
  };
  return { path: '/v1/search', key: '', body, ...tagsOf(wish) };
}

export const engines = ['engine_a', 'engine_c', 'engine_f'];
export const teams = ['red', 'blue'];

function tagsOf({ team }: Wish): { headers?: Record<string, string> } {
  return team === undefined ? {} : { headers: { 'x-trivium-tags': `team=${team}` } };
}

const transcribers = ['stt_a', 'stt_b', 'stt_c'] as const;

/** Of a transcription. */
export function providerOf({ id }: Wish): (typeof transcribers)[number] {
  return transcribers[Number(id.slice(1)) % 3] ?? 'stt_a';
}

/** The job that an answer is about. */
export function jobIdIn(answer: Answer | undefined): string | undefined {
  if (answer?.kind !== 'answer') return undefined;
  if (answer.status === 202) return String(answer.body['id']);
  return answer.headers.get('x-trivium-job-id') ?? undefined;
}

export function answeredTry({ tries }: Wish): Extract<Answer, { kind: 'answer' }> | undefined {
  const found = tries.find(
    ({ answer }) => answer?.kind === 'answer' && answer.status === 200,
  )?.answer;
  return found?.kind === 'answer' ? found : undefined;
}
