// What was decided about the choice of a provider and about failures.
import type { Requirement } from '../requirement.ts';

export const decisionsChoice = [
  {
    id: 'choice.auto.search',
    says: 'auto for search tries engines a to k in the order of the alphabet.',
  },
  {
    id: 'choice.auto.extract',
    says: 'auto for extraction tries engines a, c, b, e, f, g, h, i, j in this order.',
  },
  {
    id: 'choice.auto.transcription',
    says: 'auto for transcription tries stt_a, stt_b, stt_c in this order.',
  },
  {
    id: 'choice.auto.settings',
    says: 'The three orders are settings of the operator.',
  },
  {
    id: 'choice.configured.credential',
    says: 'An engine with a credential is configured.',
  },
  {
    id: 'choice.configured.self-hosted',
    says: "An upstream of the operator's own may need no credential to be configured.",
  },
  {
    id: 'choice.auto.skips-open-circuit',
    says: 'auto skips a provider whose circuit is open.',
  },
  {
    id: 'choice.auto.never-changes-midway',
    says: 'auto does not change provider once the call has started.',
  },
  {
    id: 'choice.failover.off',
    says: 'Failover happens only when the operator has turned it on.',
  },
  {
    id: 'choice.failover.names-server',
    says: 'After a failover the answer names the provider that really served.',
  },
  {
    id: 'choice.501.switched-off',
    says: 'A known engine that the operator switched off gives a 501 provider_not_available.',
  },
  {
    id: 'choice.503.switched-off',
    says: 'For extract and transcriptions, a disabled provider gives a 503 provider_not_available.',
  },
  {
    id: 'choice.hint.same-tool',
    says: 'The providers a refusal names as configured all have the tool that was asked for.',
  },
  {
    id: 'choice.503.no-credential',
    says: 'A known engine without a credential gives a 503 provider_not_configured.',
  },
  {
    id: 'choice.503.auto-nothing',
    says: 'auto with nothing configured gives a 503 provider_not_configured.',
  },
  {
    id: 'choice.503.transcription-no-credential',
    says: 'A speech service without a credential gives a 503 provider_not_configured.',
  },
  {
    id: 'choice.503.transcription-store',
    says: 'A job store that cannot accept the job gives a 503 provider_not_available.',
  },
  {
    id: 'choice.502.error-answer',
    says: 'A provider that answers with an error gives a 502 provider_error.',
  },
  {
    id: 'choice.502.nonsense',
    says: 'An unreadable answer of a provider gives a 502 provider_error.',
  },
  {
    id: 'choice.502.no-answer',
    says: 'A provider that does not answer in time gives a 502 provider_error.',
  },
  {
    id: 'choice.502.detail',
    says: 'The detail of a provider_error is the body of the provider, with provider, status and body added.',
  },
  {
    id: 'choice.502.secrets-removed',
    says: 'No credential is left in the detail of a provider_error.',
  },
  {
    id: 'choice.404.never-on-submit',
    says: 'A submitted transcription is never answered with 404.',
  },
  {
    id: 'choice.500.internal-error',
    says: 'An internal failure gives a 500 internal_error.',
  },
  {
    id: 'choice.500.request-id-only',
    says: 'The detail of an internal_error is a request id and nothing else.',
  },
  {
    id: 'choice.429.off-by-default',
    says: 'There is no rate limit on a key unless the operator sets one.',
  },
  {
    id: 'choice.429.rate-limited',
    says: 'Above a limit, the answer is a 429 rate_limited with Retry-After.',
  },
  { id: 'choice.404.unknown-path', says: 'An unknown path gives a 404 not_found.' },
  {
    id: 'choice.405.wrong-verb',
    says: 'A wrong verb gives a 405 invalid_request with an Allow header.',
  },
  { id: 'choice.413.body-too-large', says: 'A body over 1 MiB gives a 413 invalid_request.' },
  { id: 'choice.400.not-json', says: 'A body that is not JSON gives a 400 invalid_request.' },
  { id: 'choice.request-id', says: 'Every response has a unique x-request-id.' },
] as const satisfies readonly Requirement[];
