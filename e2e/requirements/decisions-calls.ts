// What was decided about waiting, retrying and repeated requests.
import type { Requirement } from '../requirement.ts';

export const decisionsCalls = [
  {
    id: 'calls.timeout.search',
    says: 'A search waits 30 seconds for its provider.',
  },
  {
    id: 'calls.timeout.extract',
    says: 'An extraction waits 60 seconds, or timeout_ms and 5 seconds.',
  },
  {
    id: 'calls.timeout.submit',
    says: 'A transcription waits 30 seconds for its submission.',
  },
  {
    id: 'calls.retry.connect',
    says: 'A connection that fails is retried once.',
  },
  {
    id: 'calls.retry.429',
    says: 'A 429 with a short Retry-After is retried once, within the time limit.',
  },
  { id: 'calls.retry.503', says: 'A 503 is retried once.' },
  {
    id: 'calls.retry.described-400',
    says: "A 400 that a provider's notes describe as repairable is repeated once.",
  },
  {
    id: 'calls.retry.never-after-timeout',
    says: 'A request that was sent and timed out is not sent again.',
  },
  {
    id: 'calls.retry.extract',
    says: 'Extraction is retried under the same conditions as search.',
  },
  {
    id: 'calls.idempotency.replayed',
    says: 'Same key and same body give the first answer again, marked idempotent-replayed.',
  },
  {
    id: 'calls.idempotency.charged-once',
    says: 'A replayed answer is not charged again.',
  },
  {
    id: 'calls.idempotency.other-body',
    says: 'Same key and another body give a 409 invalid_request.',
  },
  {
    id: 'calls.idempotency.running',
    says: 'Same key while the first request still runs gives a 409.',
  },
  {
    id: 'calls.idempotency.parsed-body',
    says: 'Bodies are the same when they are equal as JSON, in any formatting.',
  },
  {
    id: 'calls.idempotency.own-key',
    says: 'An Idempotency-Key belongs to the API key that sent it.',
  },
  {
    id: 'calls.idempotency.kept',
    says: 'An idempotency key is remembered for 24 hours.',
  },
  {
    id: 'calls.idempotency.every-post',
    says: 'Search, extraction and transcription all honour Idempotency-Key.',
  },
  {
    id: 'calls.max-cost.refused',
    says: 'A hold above x-max-cost-usd gives a 402 and the provider is not called.',
  },
] as const satisfies readonly Requirement[];
