// What was decided about waiting, retrying and repeated requests.
export const decisionsCalls = {
  'calls.timeout.search': 'A search waits 30 seconds for its provider.',
  'calls.timeout.extract': 'An extraction waits 60 seconds, or timeout_ms and 5 seconds.',
  'calls.timeout.submit': 'A transcription waits 30 seconds for its submission.',
  'calls.retry.connect': 'A connection that fails is retried once.',
  'calls.retry.429': 'A 429 with a short Retry-After is retried once, within the time limit.',
  'calls.retry.503': 'A 503 is retried once.',
  'calls.retry.described-400':
    "A 400 that a provider's notes describe as repairable is repeated once.",
  'calls.retry.never-after-timeout': 'A request that was sent and timed out is not sent again.',
  'calls.retry.extract': 'Extraction is retried under the same conditions as search.',
  'calls.idempotency.replayed':
    'Same key and same body give the first answer again, marked idempotent-replayed.',
  'calls.idempotency.charged-once': 'A replayed answer is not charged again.',
  'calls.idempotency.other-body': 'Same key and another body give a 409 invalid_request.',
  'calls.idempotency.running': 'Same key while the first request still runs gives a 409.',
  'calls.idempotency.parsed-body':
    'Bodies are the same when they are equal as JSON, in any formatting.',
  'calls.idempotency.own-key': 'An Idempotency-Key belongs to the API key that sent it.',
  'calls.idempotency.kept': 'An idempotency key is remembered for 24 hours.',
  'calls.idempotency.every-post':
    'Search, extraction and transcription all honour Idempotency-Key.',
  'calls.max-cost.refused':
    'A hold above x-max-cost-usd gives a 402 and the provider is not called.',
} as const;
