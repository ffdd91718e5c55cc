// What was decided about the choice of a provider and about failures.
export const decisionsChoice = {
  'choice.auto.search': 'auto for search tries engines a to k in the order of the alphabet.',
  'choice.auto.extract':
    'auto for extraction tries engines a, c, b, e, f, g, h, i, j in this order.',
  'choice.auto.transcription': 'auto for transcription tries stt_a, stt_b, stt_c in this order.',
  'choice.auto.settings': 'The three orders are settings of the operator.',
  'choice.configured.credential': 'An engine with a credential is configured.',
  'choice.configured.self-hosted':
    "An upstream of the operator's own may need no credential to be configured.",
  'choice.auto.skips-open-circuit': 'auto skips a provider whose circuit is open.',
  'choice.auto.never-changes-midway': 'auto does not change provider once the call has started.',
  'choice.failover.off': 'Failover happens only when the operator has turned it on.',
  'choice.failover.names-server':
    'After a failover the answer names the provider that really served.',
  'choice.501.switched-off':
    'A known engine that the operator switched off gives a 501 provider_not_available.',
  'choice.503.switched-off':
    'For extract and transcriptions, a disabled provider gives a 503 provider_not_available.',
  'choice.hint.same-tool':
    'The providers a refusal names as configured all have the tool that was asked for.',
  'choice.503.no-credential':
    'A known engine without a credential gives a 503 provider_not_configured.',
  'choice.503.auto-nothing': 'auto with nothing configured gives a 503 provider_not_configured.',
  'choice.503.transcription-no-credential':
    'A speech service without a credential gives a 503 provider_not_configured.',
  'choice.503.transcription-store':
    'A job store that cannot accept the job gives a 503 provider_not_available.',
  'choice.502.error-answer': 'A provider that answers with an error gives a 502 provider_error.',
  'choice.502.nonsense': 'An unreadable answer of a provider gives a 502 provider_error.',
  'choice.502.no-answer': 'A provider that does not answer in time gives a 502 provider_error.',
  'choice.502.detail':
    'The detail of a provider_error is the body of the provider, with provider, status and body added.',
  'choice.502.secrets-removed': 'No credential is left in the detail of a provider_error.',
  'choice.404.never-on-submit': 'A submitted transcription is never answered with 404.',
  'choice.500.internal-error': 'An internal failure gives a 500 internal_error.',
  'choice.500.request-id-only': 'The detail of an internal_error is a request id and nothing else.',
  'choice.429.off-by-default': 'There is no rate limit on a key unless the operator sets one.',
  'choice.429.rate-limited': 'Above a limit, the answer is a 429 rate_limited with Retry-After.',
  'choice.404.unknown-path': 'An unknown path gives a 404 not_found.',
  'choice.405.wrong-verb': 'A wrong verb gives a 405 invalid_request with an Allow header.',
  'choice.413.body-too-large': 'A body over 1 MiB gives a 413 invalid_request.',
  'choice.400.not-json': 'A body that is not JSON gives a 400 invalid_request.',
  'choice.request-id': 'Every response has a unique x-request-id.',
} as const;
