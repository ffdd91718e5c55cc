// What is sent for an operation, and what its answer says about it.
import { type Caller, type Operation, subjectOf } from './caller.ts';
import { formOf } from './recordings.ts';
import { adminToken } from '../environment.ts';
import type { Answer, Ask } from '../network.ts';

export function requestOf({ tenant }: Caller, operation: Operation): Ask {
  if (operation.change) {
    const { path, method, body } = operation.change;
    return { path, method, key: adminToken, ...(body ? { body } : {}) };
  }
  if (operation.access) return applicationOf(operation, operation.access, tenant.client);
  if (operation.kind === 'search') return searchOf(operation);
  if (operation.kind === 'extract') {
    const { provider = 'engine_a' } = operation;
    // The shortest limit that a caller can set: nearly all of the time is spent in queues.
    const limit = provider === 'auto' ? { timeout_ms: 1000 } : {};
    const page = `https://example.org/${subjectOf(operation)}`;
    const urls = Array.from({ length: operation.pages ?? 1 }, (_, at) => (at ? page + at : page));
    return {
      path: '/v1/extract',
      key: '',
      body: { urls, provider, ...limit },
      ...tagsOf(operation),
    };
  }
  if (operation.kind === 'topup' || operation.kind === 'adjust') {
    const body = { amount_usd: (operation.amount ?? 0) / 1_000_000, reason: operation.id };
    const place = operation.kind === 'topup' ? 'topups' : 'adjustments';
    return { path: `/admin/v1/accounts/${tenant.accountId}/${place}`, key: adminToken, body };
  }
  if (operation.kind === 'refund') {
    const body = {
      request_id: operation.of,
      amount_usd: (operation.amount ?? 0) / 1_000_000,
      reason: operation.id,
    };
    return { path: `/admin/v1/accounts/${tenant.accountId}/refunds`, key: adminToken, body };
  }
  const provider = providerOf(operation);
  const headers = { 'x-trivium-webhook': `https://hooks.example/${operation.id}` };
  if (operation.isForm) return formOf(operation, String(provider), headers);
  const audio = operation.upload?.audio_url ?? `https://example.org/${subjectOf(operation)}.wav`;
  return { path: '/v1/transcriptions', key: '', body: { audio_url: audio, provider }, headers };
}

export function searchOf(operation: Operation): Ask {
  const { provider = 'engine_a' } = operation;
  const panel = { provider_options: { fusion: { providers: engines, timeout_ms: 5000 } } };
  const body = {
    ...{ query: subjectOf(operation), provider },
    ...(provider === 'fusion' ? panel : {}),
  };
  return { path: '/v1/search', key: '', body, ...tagsOf(operation) };
}

/** A call of the tool that agents search with. */
export function toolCallOf(operation: Operation): Ask {
  const call = { name: 'search', arguments: { query: subjectOf(operation) } };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
  const headers = { accept: 'application/json, text/event-stream' };
  return { path: '/mcp', key: '', body, headers };
}

function applicationOf(
  operation: Operation,
  { code, sent }: NonNullable<Operation['access']>,
  client: string,
): Ask {
  if (operation.kind === 'search') return { ...toolCallOf(operation), key: sent };
  const ofCode = { grant_type: 'authorization_code', redirect_uri: redirectUri, code };
  const ofToken = sent === code ? ofCode : { grant_type: 'refresh_token', refresh_token: sent };
  const fields = operation.kind === 'revoke' ? { token: sent } : ofToken;
  const all = { ...fields, client_id: client, code_verifier: verifier };
  return {
    ...{ path: operation.kind === 'revoke' ? '/oauth/revoke' : '/oauth/token', key: '' },
    body: new URLSearchParams(all).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  };
}

export const redirectUri = 'https://agent.example/callback';
export const verifier = 'v'.repeat(43);

export const engines = ['engine_a', 'engine_c', 'engine_f'];
export const teams = ['red', 'blue'];

function tagsOf({ team }: Operation): { headers?: Record<string, string> } {
  return team === undefined ? {} : { headers: { 'x-trivium-tags': `team=${team}` } };
}

const transcribers = ['stt_a', 'stt_b', 'stt_c'] as const;

/** Of a transcription. */
export function providerOf({ id }: Operation): (typeof transcribers)[number] {
  return transcribers[Number(id.slice(2)) % 3] ?? 'stt_a';
}

/** The job that an answer is about. */
export function jobIdIn(answer: Answer | undefined): string | undefined {
  if (answer?.kind !== 'answer') return undefined;
  if (answer.status === 202) return String(answer.body['id']);
  return answer.headers.get('x-trivium-job-id') ?? undefined;
}

export function answeredTry({ tries }: Operation): Extract<Answer, { kind: 'answer' }> | undefined {
  const found = tries.find(
    ({ answer }) => answer?.kind === 'answer' && answer.status === 200,
  )?.answer;
  return found?.kind === 'answer' ? found : undefined;
}
